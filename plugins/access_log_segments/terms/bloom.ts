const BITS_PER_ID = 10;
const PROBES = 6;
/** The number of bytes hashed at each end of an id that is longer than twice that. */
const HASHED_BYTES = 24;

/** A Bloom filter of the request ids of a segment. */
export class Bloom {
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  static forIds(count: number): Bloom {
    return new Bloom(new Uint8Array(Math.ceil(count * BITS_PER_ID / 8) + 8));
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const hash = hashId(bytes, from, to);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      this.bytes[bit >>> 3]! |= 1 << (bit & 7);
    }
  }

  /** @param hash the result of `hashId` */
  mayHave(hash: number): boolean {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      if ((this.bytes[bit >>> 3]! >>> (bit & 7) & 1) === 0) return false;
    }
    return true;
  }

  #bit(hash: number, probe: number): number {
    const step = Math.imul(hash ^ 0x5bd1e995, 0x9e3779b1) | 1;
    return (hash + Math.imul(probe, step) >>> 0) % (this.bytes.length * 8);
  }
}

/** FNV-1a of an id. It is part of the file format. */
export function hashId(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 ^ to - from;
  const isLong = to - from > 2 * HASHED_BYTES;
  const end = isLong ? from + HASHED_BYTES : to;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  if (isLong) { for (let at = to - HASHED_BYTES; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193); }
  // FNV-1a alone mixes the last bytes poorly
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
