import { joined } from "../../base/bytes.ts";
import type { ByteSocket } from "./socket.ts";

const SLAB_BYTES = 128 * 1024;
/** Pieces that together are smaller are written as one. */
const JOINED_BYTES = 64 * 1024;
/** With so much to write, bodies wait: what they would add were copied for nothing if their streams ended. */
const FULL_BYTES = 256 * 1024;

/**
 * What all connections of a server write with: one buffer that they fill in turn, and one task at the end of the turn
 * that hands it to their sockets. A part of the buffer is used once, since a socket may keep it.
 */
export class OutputPool {
  bytes: Uint8Array = new Uint8Array(SLAB_BYTES);
  used = 0;
  readonly #defer: (task: () => void) => void;
  #waiting: Output[] = [];

  /** @param defer runs a task when what can be read now was read */
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

/** What one connection writes: everything of one turn goes to the socket at once. */
export class Output {
  readonly #socket: ByteSocket;
  readonly #pool: OutputPool;
  readonly #hasRoom: () => void;
  #pieces: Uint8Array[] = [];
  /** The part of the pool's buffer that is written to now. */
  #bytes: Uint8Array;
  #from = 0;
  #to = 0;
  #isScheduled = false;
  #isClosed = false;
  #waitingBytes = 0;
  #blockedSince: number | undefined;

  /** @param hasRoom told when the socket took what waited */
  constructor(socket: ByteSocket, pool: OutputPool, hasRoom: () => void) {
    this.#socket = socket;
    this.#pool = pool;
    this.#hasRoom = hasRoom;
    this.#bytes = pool.bytes;
  }

  /** Where `reserve` gave room. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Bytes that the socket does not take yet. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isFull(): boolean {
    return this.#blockedSince !== undefined || this.#waitingBytes >= FULL_BYTES;
  }

  /** Unix milliseconds since when the client takes nothing. */
  get blockedSince(): number | undefined {
    return this.#blockedSince;
  }

  /** Room for `size` bytes in `bytes`, from the answer on; all of it must be written in this turn. */
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
    let isTaken = true;
    if (pieces.length === 1 || bytes > JOINED_BYTES) {
      for (const piece of pieces) {
        isTaken = this.#socket.write(piece);
      }
    } else isTaken = this.#socket.write(joined(pieces, bytes));
    if (isTaken) this.#hasRoom();
    else this.#blockedSince = Date.now();
  }

  /** The socket takes bytes again. */
  drained(): void {
    this.#blockedSince = undefined;
    this.flush();
    if (this.#blockedSince === undefined) this.#hasRoom();
  }

  /** Nothing is written any more. */
  close(): void {
    this.#isClosed = true;
    this.#pieces = [];
  }

  #cut(): void {
    if (this.#to > this.#from) this.#pieces.push(this.#bytes.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
