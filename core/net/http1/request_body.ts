import { joined } from "../../base/bytes.ts";
import type { IncomingBody } from "../http_message.ts";

/** With so much unread the client is not read any more, and goes on when it has fallen to half. */
const MAX_UNREAD = 128 * 1024;
const NOTHING = new Uint8Array();

/** The body of a request, on its way from the connection to who reads it. */
export class RequestBody implements IncomingBody {
  readonly #flow: (isWanted: boolean) => void;
  #parts: Uint8Array[] = [];
  #unread = 0;
  #state: "coming" | "complete" | "broken" = "coming";
  #isDiscarded = false;
  /** True when all of it is waited for, however much that is. */
  #isWhole = false;
  #isPaused = false;
  #wake: (() => void) | undefined;

  /** @param flow told whether the client should go on */
  constructor(flow: (isWanted: boolean) => void) {
    this.#flow = flow;
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
      this.#flow(false);
    }
    if (!this.#isWhole) this.#wake?.();
  }

  /** All of it came. */
  complete(): void {
    this.#state = "complete";
    this.#wake?.();
  }

  /** The rest will never come. */
  break(): void {
    if (this.#state === "coming") this.#state = "broken";
    this.#wake?.();
  }

  whole(): Uint8Array | Promise<Uint8Array> {
    this.#isWhole = true;
    return this.#state === "complete" ? this.#takeAll() : this.#later();
  }

  async #later(): Promise<Uint8Array> {
    this.#resume();
    while (this.#state === "coming") await this.#more();
    if (this.#state === "broken") throw brokenOff();
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
        else if (this.#state === "broken") throw brokenOff();
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
    return parts.length === 0 ? NOTHING : parts.length === 1 ? parts[0]! : joined(parts, length);
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#flow(true);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#wake = resolve);
  }
}

function brokenOff(): Error {
  return new Error("the request broke off");
}
