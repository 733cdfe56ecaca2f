import { RpcError } from "../../base/errors.ts";
import { messageTooLarge } from "../rpc/codings.ts";

/** The prefix of a message: one byte for the compressed flag and four for the length. */
const PREFIX_LENGTH = 5;
const INITIAL_BYTES = 4096;

/** Receives one message, which is not decompressed yet. */
export type MessageSink = (isCompressed: boolean, bytes: Uint8Array) => void;

/**
 * Splits a body into the length-prefixed messages of gRPC. It allocates memory for the bytes received, not for the
 * announced length.
 *
 * Specification: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
export class MessageReader {
  readonly #limit: number;
  readonly #sink: MessageSink;
  #prefix: Uint8Array | undefined;
  #prefixFilled = 0;
  #body: Uint8Array | undefined;
  #filled = 0;
  #length = 0;

  /** @param limit the maximum size of a message in bytes, before decompression */
  constructor(limit: number, sink: MessageSink) {
    this.#limit = limit;
    this.#sink = sink;
  }

  /** The number of buffered bytes of an incomplete message. */
  get partialBytes(): number {
    return this.#filled;
  }

  /** True if a message is incomplete. */
  get isInsideMessage(): boolean {
    return this.#prefixFilled > 0;
  }

  /**
   * Reads a part of the body.
   *
   * @param isLast true if no bytes follow; messages are then passed on without a copy
   * @throws RpcError too_large before the message is buffered, invalid for an undefined flag
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

  /** Appends to the incomplete message, and passes it on when it is complete. */
  #continue(bytes: Uint8Array, at: number): number {
    const prefix = this.#prefix ??= new Uint8Array(PREFIX_LENGTH);
    while (this.#prefixFilled < PREFIX_LENGTH && at < bytes.length) prefix[this.#prefixFilled++] = bytes[at++]!;
    if (this.#prefixFilled < PREFIX_LENGTH) return at;
    this.#length = this.#lengthAt(prefix, 0);
    const count = Math.min(this.#length - this.#filled, bytes.length - at);
    const body = this.#reserve(this.#filled + count);
    body.set(bytes.subarray(at, at + count), this.#filled);
    this.#filled += count;
    if (this.#filled === this.#length) {
      this.#prefixFilled = this.#filled = 0;
      this.#body = undefined;
      this.#sink(isCompressed(prefix[0]!), body.subarray(0, this.#length));
    }
    return at + count;
  }

  #reserve(count: number): Uint8Array {
    const body = this.#body ?? new Uint8Array(Math.min(this.#length, Math.max(count, INITIAL_BYTES)));
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

function isCompressed(flag: number): boolean {
  if (flag > 1) throw new RpcError("kernel.malformed", "invalid", `invalid compressed flag ${flag}`);
  return flag === 1;
}

/** Returns the prefix of an outgoing message. */
export function messagePrefix(isCompressed: boolean, length: number): Uint8Array {
  return Uint8Array.of(isCompressed ? 1 : 0, length >>> 24, length >>> 16, length >>> 8, length);
}
