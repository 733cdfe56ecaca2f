import { writeSync } from "node:fs";
import { hasCode } from "../settings/files.ts";

/** POSIX writes up to this size to a pipe atomically. Deno does not report how much of a larger write was accepted. */
const ATOMIC_WRITE_BYTES = 4096;
const FLUSH_BYTES = 65_536;
const FLUSH_MILLISECONDS = 100;
const RETRY_MILLISECONDS = 10;
/** The buffer size for a slow reader. Lines that do not fit are dropped and counted. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/** Buffers log lines and writes them in batches, since a system call for each line would be expensive. */
export class LogOutput {
  readonly #descriptor: number;
  readonly #maxBytes: number;
  /** Bytes that a full pipe has not accepted yet. */
  #unwritten = new Uint8Array();
  #pending = "";
  #dropped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(descriptor = 1, maxBytes = MAX_BUFFERED_BYTES) {
    this.#descriptor = descriptor;
    this.#maxBytes = maxBytes;
  }

  readonly write = (line: string): void => {
    if (this.#unwritten.length + this.#pending.length + line.length > this.#maxBytes) return void this.#dropped++;
    this.#pending += line;
    if (this.#pending.length >= FLUSH_BYTES && this.#unwritten.length === 0) this.flush();
    else this.#flushAfter(FLUSH_MILLISECONDS);
  };

  /** Writes as much as the reader accepts now. The rest is retried later. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#writeNow()) this.#flushAfter(RETRY_MILLISECONDS);
  }

  /** Writes everything, blocking the thread until the reader accepts it or the time limit ends. Only for process exit. */
  close(limitMilliseconds: number): void {
    clearTimeout(this.#timer);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const end = Date.now() + limitMilliseconds;
    while (!this.#writeNow() && Date.now() < end) Atomics.wait(pause, 0, 0, RETRY_MILLISECONDS);
  }

  #flushAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.flush(), milliseconds);
  }

  /** Returns true if nothing is left to write. */
  #writeNow(): boolean {
    this.#unwritten = concat(this.#unwritten, new TextEncoder().encode(this.#pending));
    this.#pending = "";
    try {
      while (this.#unwritten.length > 0) {
        this.#unwritten = this.#unwritten.subarray(
          writeSync(this.#descriptor, this.#unwritten.subarray(0, ATOMIC_WRITE_BYTES)),
        );
      }
    } catch (error) {
      if (hasCode(error, "EAGAIN")) return false;
      // The reader has closed the pipe.
      this.#unwritten = new Uint8Array();
    }
    if (this.#dropped === 0) return true;
    this.#pending = droppedLinesWarning(this.#dropped);
    this.#dropped = 0;
    return this.#writeNow();
  }
}

function concat(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function droppedLinesWarning(count: number): string {
  const time = new Date().toISOString();
  return `{"time":"${time}","level":"warn","message":"log lines dropped: the reader is too slow","count":${count}}\n`;
}
