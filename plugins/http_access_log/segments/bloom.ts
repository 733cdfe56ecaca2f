import { hashBytes } from "./bytes.ts";

const BITS_PER_ID = 10;
const PROBES = 6;

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
    const hash = hashBytes(bytes, from, to);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bit(hash, probe);
      this.bytes[bit >>> 3]! |= 1 << (bit & 7);
    }
  }

  mayHave(id: Uint8Array): boolean {
    const hash = hashBytes(id, 0, id.length);
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
