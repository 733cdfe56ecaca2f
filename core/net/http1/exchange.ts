import type { HttpResponse, IncomingCall } from "../http_message.ts";
import type { RequestBody } from "./request_body.ts";
import type { RequestHead } from "./request_head.ts";
import type { ResponseHead } from "./response_head.ts";

/** Sends the responses of a connection. */
export interface ResponseOutput {
  readonly remoteAddress: string;
  sendResponse(exchange: Exchange, response: HttpResponse): void;
  begin(exchange: Exchange, head: ResponseHead): void;
  write(exchange: Exchange, bytes: Uint8Array): void | Promise<void>;
  end(exchange: Exchange): void;
  /** Closes the connection without completing the response. */
  cut(exchange: Exchange): void;
}

/** One request and its response. Anything sent after the caller has disconnected is dropped. */
export class Exchange implements IncomingCall {
  readonly head: RequestHead;
  readonly body: RequestBody;
  /** The time at which the request began, in unix milliseconds. */
  readonly startedAt: number;
  /** The progress of the response; "sent" once it is completely handed to the socket. */
  state: "waiting" | "streaming" | "sent" = "waiting";
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

  fields(): Iterable<readonly [string, string]> {
    return this.head.headers;
  }

  get peer(): string {
    return this.#output.remoteAddress;
  }

  /** The request target without its query. */
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

  /** Notifies the watcher that the caller has disconnected or will be disconnected. */
  leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    if (this.state !== "sent") this.#gone?.();
  }

  /** Sends a complete response. */
  respond(response: HttpResponse): void {
    this.#output.sendResponse(this, response);
  }

  /** Begins a response whose body is streamed. */
  begin(head: ResponseHead): void {
    this.#output.begin(this, head);
  }

  /** Sends a part of the body. The promise, if any, resolves when the client accepts more. */
  write(bytes: Uint8Array): void | Promise<void> {
    return this.#output.write(this, bytes);
  }

  end(): void {
    this.#output.end(this);
  }

  /** Closes the connection, so that the client notices that the response is incomplete. */
  cut(): void {
    this.#output.cut(this);
  }
}
