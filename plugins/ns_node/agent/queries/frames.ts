import { Buffer } from "node:buffer";

/** The kinds of control frames of Frame Streams. */
export const CONTROL = { accept: 1, start: 2, stop: 3, ready: 4, finish: 5 } as const;
const CONTENT_TYPE_FIELD = 1;
const CONTENT_TYPE = "protobuf:dnstap.Dnstap";
/** A DNS message has at most 64 KiB; what else is in a frame is small. */
const MAX_FRAME = 256 * 1024;
const MAX_CONTROL_FRAME = 512;

/** A frame of a stream: data, or control with its kind. */
export type Frame = { readonly data: Uint8Array } | { readonly control: number };

/** An error of the stream, after which it has to be closed. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** Takes a stream of bytes apart into frames of Frame Streams, as Knot sends them. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the frames that are complete with these bytes. */
  push(chunk: Uint8Array): Frame[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    const bytes = this.#rest;
    if (bytes.length < 4) return undefined;
    const length = bytes.readUInt32BE(0);
    if (length > 0) {
      if (length > MAX_FRAME) throw new FrameError(`a frame has ${length} bytes, at most ${MAX_FRAME} are allowed`);
      return this.#take(4, length, (data) => ({ data }));
    }
    if (bytes.length < 8) return undefined;
    const size = bytes.readUInt32BE(4);
    if (size < 4 || size > MAX_CONTROL_FRAME) throw new FrameError(`a control frame has ${size} bytes`);
    return this.#take(8, size, (data) => ({ control: data.readUInt32BE(0) }));
  }

  #take(from: number, length: number, frameOf: (data: Buffer) => Frame): Frame | undefined {
    if (this.#rest.length < from + length) return undefined;
    const frame = frameOf(this.#rest.subarray(from, from + length));
    this.#rest = this.#rest.subarray(from + length);
    return frame;
  }
}

/** Returns a control frame; one that accepts names the content. */
export function controlFrame(kind: number): Uint8Array {
  const content = kind === CONTROL.accept ? Buffer.from(CONTENT_TYPE) : undefined;
  const length = 4 + (content === undefined ? 0 : 8 + content.length);
  const frame = Buffer.alloc(8 + length);
  frame.writeUInt32BE(length, 4);
  frame.writeUInt32BE(kind, 8);
  if (content !== undefined) {
    frame.writeUInt32BE(CONTENT_TYPE_FIELD, 12);
    frame.writeUInt32BE(content.length, 16);
    content.copy(frame, 20);
  }
  return frame;
}
