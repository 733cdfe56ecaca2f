import { writeSync } from "node:fs";
import { hasCode } from "../settings/files.ts";

/** What a pipe takes whole or not at all: Deno does not tell how much of a larger piece a full one took. */
const PIECE_BYTES = 4096;
const FLUSH_BYTES = 65_536;
const FLUSH_MILLISECONDS = 100;
const RETRY_MILLISECONDS = 10;
/** What is kept for a reader that does not keep up; lines beyond it are counted instead. */
const MAX_KEPT = 8 * 1024 * 1024;

/** Gathers log lines and writes them in few, whole pieces: a system call for each line would cost more than the line. */
export class LogOutput {
  readonly #descriptor: number;
  readonly #mostKept: number;
  /** Bytes that a full pipe did not take yet. */
  #rest = new Uint8Array();
  #pending = "";
  #lost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(descriptor = 1, mostKept = MAX_KEPT) {
    this.#descriptor = descriptor;
    this.#mostKept = mostKept;
  }

  readonly write = (line: string): void => {
    if (this.#rest.length + this.#pending.length + line.length > this.#mostKept) return void this.#lost++;
    this.#pending += line;
    if (this.#pending.length >= FLUSH_BYTES && this.#rest.length === 0) this.flush();
    else this.#flushAfter(FLUSH_MILLISECONDS);
  };

  /** Writes what its reader takes now; the rest follows. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#writeNow()) this.#flushAfter(RETRY_MILLISECONDS);
  }

  /** Writes what is pending, and waits for a slow reader at most so long: for the end of the process only. */
  close(limitMilliseconds: number): void {
    clearTimeout(this.#timer);
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const end = Date.now() + limitMilliseconds;
    while (!this.#writeNow() && Date.now() < end) Atomics.wait(pause, 0, 0, RETRY_MILLISECONDS);
  }

  #flushAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.flush(), milliseconds);
  }

  /** True when nothing is left. */
  #writeNow(): boolean {
    this.#rest = joined(this.#rest, new TextEncoder().encode(this.#pending));
    this.#pending = "";
    try {
      while (this.#rest.length > 0) {
        this.#rest = this.#rest.subarray(writeSync(this.#descriptor, this.#rest.subarray(0, PIECE_BYTES)));
      }
    } catch (error) {
      if (hasCode(error, "EAGAIN")) return false;
      // A closed pipe takes no more.
      this.#rest = new Uint8Array();
    }
    if (this.#lost === 0) return true;
    this.#pending = lostLine(this.#lost);
    this.#lost = 0;
    return this.#writeNow();
  }
}

function joined(one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function lostLine(count: number): string {
  const time = new Date().toISOString();
  return `{"time":"${time}","level":"warn","message":"log lines were lost: their reader is too slow","count":${count}}\n`;
}
