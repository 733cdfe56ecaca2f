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
    for (const bit of this.#bits(bytes, from, to)) this.bytes[bit >>> 3]! |= 1 << (bit & 7);
  }

  mayHave(id: Uint8Array): boolean {
    return this.#bits(id, 0, id.length).every((bit) => (this.bytes[bit >>> 3]! >>> (bit & 7) & 1) === 1);
  }

  #bits(bytes: Uint8Array, from: number, to: number): number[] {
    const hash = hashBytes(bytes, from, to);
    const step = Math.imul(hash ^ 0x5bd1e995, 0x9e3779b1) >>> 0 | 1;
    const bits: number[] = [];
    const total = this.bytes.length * 8;
    for (let probe = 0; probe < PROBES; probe++) bits.push((hash + Math.imul(probe, step) >>> 0) % total);
    return bits;
  }
}
