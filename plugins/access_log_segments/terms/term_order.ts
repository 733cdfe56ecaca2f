import { compareBytes } from "../rows/bytes.ts";

/** Distinct byte strings, stored contiguously. */
export interface Terms {
  readonly bytes: Uint8Array;
  /** The start of each, and the end of the last one. */
  readonly bounds: Uint32Array;
  readonly count: number;
}

/** Up to this number, terms are sorted by comparison. */
const MAX_COMPARED = 24;
/** The bits of a number in which integers are exact. */
const EXACT_BITS = 53;
/** The values of a byte, and one for the end of a term. */
const RADIX = 257;

/** Returns the indexes of the terms in byte order. */
export function orderTerms(terms: Terms): Uint32Array {
  const order = Uint32Array.from({ length: terms.count }, (_, term) => term);
  new TermOrder(terms).sort(order, 0);
  return order;
}

/**
 * A radix sort. It packs the first bytes that differ and the index of the term into one number, since numbers sort many
 * times faster than with a comparison function. Terms with equal numbers are then sorted by the following bytes.
 */
class TermOrder {
  readonly #terms: Terms;
  /** The number of bytes per number, and the factor that makes room for the index of the term. */
  readonly #width: number;
  readonly #indexRange: number;

  constructor(terms: Terms) {
    this.#terms = terms;
    const termBits = Math.ceil(Math.log2(terms.count + 1));
    this.#width = Math.floor((EXACT_BITS - termBits) / Math.log2(RADIX));
    this.#indexRange = 2 ** termBits;
  }

  /** @param shared the number of leading bytes that are known to be equal */
  sort(order: Uint32Array, shared: number): void {
    if (order.length <= MAX_COMPARED) {
      order.sort(this.#compare);
      return;
    }
    const depth = this.#commonLength(order, shared);
    const keys = Float64Array.from(order, (term) => this.#key(term, depth) * this.#indexRange + term).sort();
    let [from, last] = [0, -1];
    for (let index = 0; index <= keys.length; index++) {
      const term = index < keys.length ? keys[index]! % this.#indexRange : 0;
      const key = index < keys.length ? (keys[index]! - term) / this.#indexRange : Infinity;
      if (key !== last) {
        if (index - from > 1) this.sort(order.subarray(from, index), depth + this.#width);
        [from, last] = [index, key];
      }
      if (index < keys.length) order[index] = term;
    }
  }

  readonly #compare = (one: number, other: number): number => {
    const { bytes, bounds } = this.#terms;
    return compareBytes(bytes, bounds[one]!, bounds[one + 1]!, bytes, bounds[other]!, bounds[other + 1]!);
  };

  #commonLength(order: Uint32Array, shared: number): number {
    const { bytes, bounds } = this.#terms;
    const first = bounds[order[0]!]!;
    let common = bounds[order[0]! + 1]! - first;
    for (const term of order) {
      const start = bounds[term]!;
      const limit = Math.min(common, bounds[term + 1]! - start);
      for (common = shared; common < limit && bytes[first + common] === bytes[start + common];) common++;
    }
    return common;
  }

  #key(term: number, depth: number): number {
    const { bytes, bounds } = this.#terms;
    const from = bounds[term]! + depth;
    const end = bounds[term + 1]!;
    let key = 0;
    for (let at = from; at < from + this.#width; at++) key = key * RADIX + (at < end ? bytes[at]! + 1 : 0);
    return key;
  }
}
