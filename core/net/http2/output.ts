import { concatBytes } from "../../base/bytes.ts";
import type { ByteSocket } from "./socket.ts";

const SLAB_BYTES = 128 * 1024;
/** The maximum total size of pieces that are concatenated into one write. */
const MAX_JOINED_BYTES = 64 * 1024;
/** The number of unsent bytes from which bodies wait: copying them would be wasted if their streams ended. */
const FULL_BYTES = 256 * 1024;

/**
 * The output buffer that all connections of a server share, and the task that passes its content to their sockets at
 * the end of a turn of the event loop. No part of the buffer is reused, since a socket may keep it.
 */
export class OutputPool {
  bytes: Uint8Array = new Uint8Array(SLAB_BYTES);
  used = 0;
  readonly #defer: (task: () => void) => void;
  #waiting: Output[] = [];

  /** @param defer runs a task after all readable sockets have been read */
  constructor(defer: (task: () => void) => void) {
    this.#defer = defer;
  }

  schedule(output: Output): void {
    if (this.#waiting.push(output) === 1) this.#defer(() => this.#flush());
  }

  #flush(): void {
    const outputs = this.#waiting;
    this.#waiting = [];
    for (const output of outputs) output.flush();
  }
}

/** The output of one connection. Everything written in a turn of the event loop is passed to the socket at once. */
export class Output {
  readonly #socket: ByteSocket;
  readonly #pool: OutputPool;
  readonly #onWritable: () => void;
  #pieces: Uint8Array[] = [];
  /** The buffer that contains the current piece. */
  #bytes: Uint8Array;
  #from = 0;
  #to = 0;
  #isScheduled = false;
  #isClosed = false;
  #waitingBytes = 0;
  #blockedSince: number | undefined;

  /** @param onWritable called when the socket has accepted all buffered bytes */
  constructor(socket: ByteSocket, pool: OutputPool, onWritable: () => void) {
    this.#socket = socket;
    this.#pool = pool;
    this.#onWritable = onWritable;
    this.#bytes = pool.bytes;
  }

  /** The buffer in which `reserve` reserved space. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The number of bytes that the socket has not accepted. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isFull(): boolean {
    return this.#blockedSince !== undefined || this.#waitingBytes >= FULL_BYTES;
  }

  /** The time since which the client has not read anything, in unix milliseconds. */
  get blockedSince(): number | undefined {
    return this.#blockedSince;
  }

  /** Reserves `size` bytes in `bytes` and returns their offset. The caller must write all of them in this turn. */
  reserve(size: number): number {
    const pool = this.#pool;
    if (this.#bytes !== pool.bytes || this.#to !== pool.used || pool.bytes.length - pool.used < size) {
      this.#cut();
      if (pool.bytes.length - pool.used < size) {
        pool.bytes = new Uint8Array(Math.max(SLAB_BYTES, size));
        pool.used = 0;
      }
      this.#bytes = pool.bytes;
      this.#from = this.#to = pool.used;
    }
    const at = this.#to;
    pool.used = this.#to = at + size;
    this.#waitingBytes += size;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      pool.schedule(this);
    }
    return at;
  }

  write(bytes: Uint8Array): void {
    const at = this.reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  flush(): void {
    this.#isScheduled = false;
    if (this.#blockedSince !== undefined || this.#isClosed) return;
    this.#cut();
    const pieces = this.#pieces;
    if (pieces.length === 0) return;
    this.#pieces = [];
    const bytes = this.#waitingBytes;
    this.#waitingBytes = 0;
    let isWritable = true;
    if (pieces.length === 1 || bytes > MAX_JOINED_BYTES) {
      for (const piece of pieces) {
        isWritable = this.#socket.write(piece);
      }
    } else isWritable = this.#socket.write(concatBytes(pieces, bytes));
    if (isWritable) this.#onWritable();
    else this.#blockedSince = Date.now();
  }

  /** The socket accepts bytes again. */
  drained(): void {
    this.#blockedSince = undefined;
    this.flush();
    if (this.#blockedSince === undefined) this.#onWritable();
  }

  /** Drops unsent bytes and all later ones. */
  close(): void {
    this.#isClosed = true;
    this.#pieces = [];
  }

  #cut(): void {
    if (this.#to > this.#from) this.#pieces.push(this.#bytes.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
