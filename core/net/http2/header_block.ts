import { ErrorCode, Http2ConnectionError } from "./protocol.ts";

/** The allowance for the overhead of the encoding, in addition to the header list. */
const SLACK_BYTES = 4096;
const MAX_FRAMES = 32;

/** A header block that spans a HEADERS frame and CONTINUATION frames (RFC 9113, section 4.3). */
export class HeaderBlock {
  readonly streamId: number;
  readonly endsStream: boolean;
  /** The time of the HEADERS frame, in unix milliseconds. */
  readonly startedAt: number;
  readonly #maxBytes: number;
  #bytes = new Uint8Array(1024);
  #length = 0;
  #frames = 0;

  constructor(streamId: number, endsStream: boolean, startedAt: number, headerListBytes: number) {
    this.streamId = streamId;
    this.endsStream = endsStream;
    this.startedAt = startedAt;
    this.#maxBytes = headerListBytes + SLACK_BYTES;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws Http2ConnectionError ENHANCE_YOUR_CALM if the block is larger than any list within the limit could be */
  add(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#maxBytes || ++this.#frames > MAX_FRAMES) {
      throw new Http2ConnectionError(
        ErrorCode.ENHANCE_YOUR_CALM,
        "the header block is too large or has too many frames",
      );
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length = length;
  }
}
