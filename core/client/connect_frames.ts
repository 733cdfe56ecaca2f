import { received } from "./request.ts";

const PREFIX_BYTES = 5;
const END = 2;
/** A limit for messages, above what servers send. */
const MAX_BYTES = 1 << 30;

/** A message of a stream. The last one is JSON that tells how the stream ended. */
export interface Frame {
  readonly isEnd: boolean;
  readonly bytes: Uint8Array;
}

/** Returns a message with its prefix: flags and length. */
export function frame(bytes: Uint8Array): Uint8Array {
  const framed = new Uint8Array(PREFIX_BYTES + bytes.length);
  new DataView(framed.buffer).setUint32(1, bytes.length);
  framed.set(bytes, PREFIX_BYTES);
  return framed;
}

/** Splits the body of a response into messages. */
export async function* frames(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Frame> {
  const reader = body.getReader();
  let buffer = new Uint8Array();
  try {
    for (;;) {
      const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
      const length = buffer.length < PREFIX_BYTES ? 0 : view.getUint32(1);
      if (length > MAX_BYTES) throw new RangeError(`a message of ${length} bytes is too large`);
      if (buffer.length >= PREFIX_BYTES + length) {
        const end = PREFIX_BYTES + length;
        yield { isEnd: (buffer[0]! & END) !== 0, bytes: buffer.slice(PREFIX_BYTES, end) };
        buffer = buffer.subarray(end);
        continue;
      }
      const { done, value } = await received(reader.read(), signal);
      if (done) return;
      buffer = concatenated(buffer, value);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
