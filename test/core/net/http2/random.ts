import { Random } from "../../../harness/random.ts";

/** Whole numbers from 0 to 2^31 - 1 that a seed determines. */
export function random(seed: number): () => number {
  const numbers = new Random(seed);
  return () => numbers.below(2 ** 31);
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
