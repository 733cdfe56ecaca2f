import { RpcError } from "../../base/errors.ts";

/** A flag for compression and four bytes of length stand before each message. */
const PREFIX_LENGTH = 5;
const FIRST_BYTES = 4096;

/** Takes one message, as it was sent. */
export type MessageSink = (isCompressed: boolean, bytes: Uint8Array) => void;

/** Cuts a body into the messages of gRPC over HTTP/2. What it allocates grows with what came, not with what was announced. */
export class MessageReader {
  readonly #limit: number;
  readonly #sink: MessageSink;
  #prefix: Uint8Array | undefined;
  #prefixFilled = 0;
  #body: Uint8Array | undefined;
  #filled = 0;
  #length = 0;

  /** @param limit the most bytes that a message may have, as it is sent */
  constructor(limit: number, sink: MessageSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /** How much is kept of a message that is not whole. */
  get partialBytes(): number {
    return this.#filled;
  }

  /** Whether a message has begun and is not whole. */
  get isInsideMessage(): boolean {
    return this.#prefixFilled > 0;
  }

  /**
   * @param isLast whether nothing follows: the bytes are then handed on without a copy
   * @throws RpcError too_large, before the message is kept
   */
  push(bytes: Uint8Array, isLast: boolean): void {
    let at = 0;
    if (this.isInsideMessage) at = this.#continue(bytes, at);
    while (at < bytes.length && !this.isInsideMessage) {
      const end = bytes.length - at >= PREFIX_LENGTH ? at + PREFIX_LENGTH + this.#lengthAt(bytes, at) : Infinity;
      if (end > bytes.length) {
        at = this.#continue(bytes, at);
      } else {
        const message = bytes.subarray(at + PREFIX_LENGTH, end);
        this.#sink(isCompressed(bytes[at]!), isLast ? message : message.slice());
        at = end;
      }
    }
  }

  /** Adds to the message that is not whole, and hands it on once it is. */
  #continue(bytes: Uint8Array, at: number): number {
    const prefix = this.#prefix ??= new Uint8Array(PREFIX_LENGTH);
    while (this.#prefixFilled < PREFIX_LENGTH && at < bytes.length) prefix[this.#prefixFilled++] = bytes[at++]!;
    if (this.#prefixFilled < PREFIX_LENGTH) return at;
    this.#length = this.#lengthAt(prefix, 0);
    const count = Math.min(this.#length - this.#filled, bytes.length - at);
    const body = this.#roomFor(this.#filled + count);
    body.set(bytes.subarray(at, at + count), this.#filled);
    this.#filled += count;
    if (this.#filled === this.#length) {
      this.#prefixFilled = this.#filled = 0;
      this.#body = undefined;
      this.#sink(isCompressed(prefix[0]!), body.subarray(0, this.#length));
    }
    return at + count;
  }

  #roomFor(count: number): Uint8Array {
    const body = this.#body ?? new Uint8Array(Math.min(this.#length, Math.max(count, FIRST_BYTES)));
    if (body.length >= count) return this.#body = body;
    const larger = new Uint8Array(Math.min(this.#length, Math.max(count, body.length * 2)));
    larger.set(body);
    return this.#body = larger;
  }

  #lengthAt(bytes: Uint8Array, at: number): number {
    const length = (bytes[at + 1]! << 24 | bytes[at + 2]! << 16 | bytes[at + 3]! << 8 | bytes[at + 4]!) >>> 0;
    if (length > this.#limit) throw messageTooLarge(length, this.#limit);
    return length;
  }
}

export function messageTooLarge(length: number, limit: number): RpcError {
  return new RpcError(
    "kernel.too_large",
    "too_large",
    `the message is larger than the limit of ${limit} bytes: it has ${length}`,
  );
}

function isCompressed(flag: number): boolean {
  if (flag > 1) throw new RpcError("kernel.malformed", "invalid", `a message cannot begin with the byte ${flag}`);
  return flag === 1;
}

/** What stands before a message that is sent. */
export function messagePrefix(isCompressed: boolean, length: number): Uint8Array {
  return Uint8Array.of(isCompressed ? 1 : 0, length >>> 24, length >>> 16, length >>> 8, length);
}
