import { Random } from "../../../harness/random.ts";

/** Returns a generator of integers from 0 to 2^31 - 1, determined by a seed. */
export function random(seed: number): () => number {
  const numbers = new Random(seed);
  return () => numbers.below(2 ** 31);
}

const NAME = "abcdefghijklmnopqrstuvwxyz0123456789-";

/** Generators of the names and values of header fields. */
export const texts = {
  name: (next: () => number): string =>
    next() % 4 === 0
      ? "content-type"
      : Array.from({ length: 1 + next() % 20 }, () => NAME[next() % NAME.length]).join(""),
  value: (next: () => number): string =>
    Array.from({ length: next() % 60 }, () => String.fromCharCode(33 + next() % 94)).join(""),
};
