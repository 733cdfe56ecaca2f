/** Numbers from 0 to 2^31 - 1 that a seed determines (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return (mixed ^ mixed >>> 14) >>> 1;
  };
}

const NAME = "abcdefghijklmnopqrstuvwxyz0123456789-";

/** Texts as header fields have them. */
export const texts = {
  name: (next: () => number): string =>
    next() % 4 === 0
      ? "content-type"
      : Array.from({ length: 1 + next() % 20 }, () => NAME[next() % NAME.length]).join(""),
  value: (next: () => number): string =>
    Array.from({ length: next() % 60 }, () => String.fromCharCode(33 + next() % 94)).join(""),
};
