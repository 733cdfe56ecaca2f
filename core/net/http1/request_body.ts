import { concatBytes } from "../../base/bytes.ts";
import type { IncomingBody } from "../http_message.ts";

/** The number of unread bytes above which the socket is paused; it resumes at half of that. */
const MAX_UNREAD = 128 * 1024;
const EMPTY = new Uint8Array();

/** The body of a request, buffered between the connection and its reader. */
export class RequestBody implements IncomingBody {
  readonly #setFlowing: (isFlowing: boolean) => void;
  #parts: Uint8Array[] = [];
  #unread = 0;
  #state: "receiving" | "complete" | "aborted" = "receiving";
  #isDiscarded = false;
  /** True if the reader waits for the whole body, whatever its size. */
  #isWhole = false;
  #isPaused = false;
  #wake: (() => void) | undefined;

  /** @param setFlowing pauses (false) or resumes (true) reading from the client */
  constructor(setFlowing: (isFlowing: boolean) => void) {
    this.#setFlowing = setFlowing;
  }

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  push(bytes: Uint8Array): void {
    if (this.#isDiscarded) return;
    this.#parts.push(bytes);
    this.#unread += bytes.length;
    if (this.#unread > MAX_UNREAD && !this.#isWhole && !this.#isPaused) {
      this.#isPaused = true;
      this.#setFlowing(false);
    }
    if (!this.#isWhole) this.#wake?.();
  }

  /** Marks the body as complete. */
  complete(): void {
    this.#state = "complete";
    this.#wake?.();
  }

  /** Makes readers fail, unless the body is complete: its rest will not arrive. */
  abort(): void {
    if (this.#state === "receiving") this.#state = "aborted";
    this.#wake?.();
  }

  whole(): Uint8Array | Promise<Uint8Array> {
    this.#isWhole = true;
    return this.#state === "complete" ? this.#takeAll() : this.#waitForAll();
  }

  async #waitForAll(): Promise<Uint8Array> {
    this.#resume();
    while (this.#state === "receiving") await this.#more();
    if (this.#state === "aborted") throw requestAborted();
    return this.#takeAll();
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const part = this.#parts.shift();
        if (part !== undefined) {
          this.#unread -= part.length;
          if (this.#unread <= MAX_UNREAD / 2) this.#resume();
          yield part;
        } else if (this.#state === "complete") return;
        else if (this.#state === "aborted") throw requestAborted();
        else await this.#more();
      }
    } finally {
      this.discard();
    }
  }

  discard(): void {
    this.#isDiscarded = true;
    this.#parts = [];
    this.#unread = 0;
    this.#resume();
  }

  #takeAll(): Uint8Array {
    const parts = this.#parts;
    const length = this.#unread;
    this.discard();
    return parts.length === 0 ? EMPTY : parts.length === 1 ? parts[0]! : concatBytes(parts, length);
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#setFlowing(true);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#wake = resolve);
  }
}

function requestAborted(): Error {
  return new Error("the request was aborted");
}
