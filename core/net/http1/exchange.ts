import type { HttpResponse, IncomingCall } from "../http_message.ts";
import type { RequestBody } from "./request_body.ts";
import type { RequestHead } from "./request_head.ts";
import type { ResponseHead } from "./response_head.ts";

/** Sends the answer of one exchange over its connection. */
export interface ResponseOutput {
  readonly remoteAddress: string;
  sendWhole(exchange: Exchange, answer: HttpResponse): void;
  begin(exchange: Exchange, head: ResponseHead): void;
  write(exchange: Exchange, bytes: Uint8Array): void | Promise<void>;
  end(exchange: Exchange): void;
  /** Cuts the connection: the answer broke off. */
  cut(exchange: Exchange): void;
}

/** One request, and the way to its answer. What is sent after the caller has gone goes nowhere. */
export class Exchange implements IncomingCall {
  readonly head: RequestHead;
  readonly body: RequestBody;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** How far the answer is. */
  state: "waiting" | "begun" | "answered" = "waiting";
  readonly #output: ResponseOutput;
  #isGone = false;
  #gone: (() => void) | undefined;

  constructor(output: ResponseOutput, head: RequestHead, body: RequestBody, now: number) {
    this.#output = output;
    this.head = head;
    this.body = body;
    this.startedAt = now;
  }

  readonly header = (name: string): string | undefined => this.head.headers.get(name);

  get peer(): string {
    return this.#output.remoteAddress;
  }

  /** The target without its query. */
  get path(): string {
    const { target } = this.head;
    const query = target.indexOf("?");
    return query === -1 ? target : target.slice(0, query);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  watchCaller(gone: () => void): void {
    if (this.#isGone) gone();
    else this.#gone = gone;
  }

  /** The caller went away, or is sent away. */
  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (this.state !== "answered") this.#gone?.();
  }

  /** Sends a whole answer. */
  respond(answer: HttpResponse): void {
    this.#output.sendWhole(this, answer);
  }

  /** Begins an answer whose body follows piece by piece. */
  begin(head: ResponseHead): void {
    this.#output.begin(this, head);
  }

  /** Sends a piece; the promise waits until the client takes more. */
  write(bytes: Uint8Array): void | Promise<void> {
    return this.#output.write(this, bytes);
  }

  end(): void {
    this.#output.end(this);
  }

  /** Breaks the answer off, so that the client sees that it is not whole. */
  cut(): void {
    this.#output.cut(this);
  }
}
