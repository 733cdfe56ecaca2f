const BITS_PER_ID = 10;
const PROBES = 6;
/** Of longer ids only so much of the beginning and the end is hashed. */
const HASHED = 24;

/** Tells of most request ids that a segment does not have them. */
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

  /** @param hash of `hashId` */
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

/** FNV-1a of an id: what stands in files. */
export function hashId(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5 ^ to - from;
  const isLong = to - from > 2 * HASHED;
  const end = isLong ? from + HASHED : to;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  if (isLong) { for (let at = to - HASHED; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193); }
  // the low bits would else depend on few bytes
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
