import { Buffer } from "node:buffer";
import { deserialize, serialize } from "node:v8";

const LENGTH_BYTES = 4;

/** Encodes a message as its length and its structured clone, which preserves bigints and bytes. */
export function frameOf(message: unknown): Buffer {
  const body = serialize(message);
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length);
  frame.writeUInt32LE(body.length);
  frame.set(body, LENGTH_BYTES);
  return frame;
}

/** Decodes the messages of a byte stream. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #needed = LENGTH_BYTES;

  /** Adds a chunk and yields the messages that it completes. */
  *read(chunk: Uint8Array): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed) {
      const bytes = Buffer.concat(this.#chunks, this.#size);
      const end = LENGTH_BYTES + bytes.readUInt32LE();
      const isComplete = this.#size >= end;
      if (isComplete) yield deserialize(bytes.subarray(LENGTH_BYTES, end));
      const rest = isComplete ? bytes.subarray(end) : bytes;
      this.#chunks = [rest];
      this.#size = rest.length;
      this.#needed = isComplete ? LENGTH_BYTES : end;
    }
  }
}
