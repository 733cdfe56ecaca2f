import { compareBytes } from "./bytes.ts";

/** Distinct pieces of bytes that lie one behind the other. */
export interface Terms {
  readonly bytes: Uint8Array;
  /** Where each begins, and where the last one ends. */
  readonly bounds: Uint32Array;
  readonly count: number;
}

/** So few are compared one by one. */
const FEW = 24;
/** Bits of a number that are exact. */
const EXACT_BITS = 53;
/** The end of a term, and what a byte can be. */
const DIGITS = 257;

/** The terms in the order of their bytes. */
export function orderTerms(terms: Terms): Uint32Array {
  const order = Uint32Array.from({ length: terms.count }, (_, term) => term);
  new TermOrder(terms).sort(order, 0);
  return order;
}

/**
 * Sorts by the first bytes that differ, as numbers that also tell the term: numbers are sorted many times faster than
 * what calls back to be compared. Terms that are alike so far are sorted by what comes next.
 */
class TermOrder {
  readonly #terms: Terms;
  /** How many bytes a number has, and what they are multiplied by to make room for the term. */
  readonly #width: number;
  readonly #room: number;

  constructor(terms: Terms) {
    this.#terms = terms;
    const termBits = Math.ceil(Math.log2(terms.count + 1));
    this.#width = Math.floor((EXACT_BITS - termBits) / Math.log2(DIGITS));
    this.#room = 2 ** termBits;
  }

  /** @param alike how many first bytes are known to be the same */
  sort(order: Uint32Array, alike: number): void {
    if (order.length <= FEW) {
      order.sort(this.#compare);
      return;
    }
    const depth = this.#commonLength(order, alike);
    const keys = Float64Array.from(order, (term) => this.#key(term, depth) * this.#room + term).sort();
    let [from, last] = [0, -1];
    for (let index = 0; index <= keys.length; index++) {
      const term = index < keys.length ? keys[index]! % this.#room : 0;
      const key = index < keys.length ? (keys[index]! - term) / this.#room : Infinity;
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

  #commonLength(order: Uint32Array, alike: number): number {
    const { bytes, bounds } = this.#terms;
    const first = bounds[order[0]!]!;
    let common = bounds[order[0]! + 1]! - first;
    for (const term of order) {
      const start = bounds[term]!;
      const most = Math.min(common, bounds[term + 1]! - start);
      for (common = alike; common < most && bytes[first + common] === bytes[start + common];) common++;
    }
    return common;
  }

  #key(term: number, depth: number): number {
    const { bytes, bounds } = this.#terms;
    const from = bounds[term]! + depth;
    const end = bounds[term + 1]!;
    let key = 0;
    for (let at = from; at < from + this.#width; at++) key = key * DIGITS + (at < end ? bytes[at]! + 1 : 0);
    return key;
  }
}
