import type { RpcError } from "../../base/errors.ts";
import type { Envelope } from "./codec.ts";

/** The messages of a client stream, from the socket to the handler that takes them one by one. */
export class Inbox {
  readonly #taken: (bytes: number) => void;
  #messages: Envelope[] = [];
  #bytes = 0;
  #isOver = false;
  #failure: RpcError | undefined;
  #wake: (() => void) | undefined;

  /** @param taken told of the size of each message that the handler took */
  constructor(taken: (bytes: number) => void) {
    this.#taken = taken;
  }

  /** Messages that wait to be taken. */
  get length(): number {
    return this.#messages.length;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#bytes;
  }

  add(message: Envelope): void {
    if (this.#isOver) return;
    this.#messages.push(message);
    this.#bytes += message.bytes.length;
    this.#wake?.();
  }

  /** Nothing more comes. With a failure, what waits is dropped and the handler gets the failure. */
  end(failure?: RpcError): void {
    if (failure !== undefined) {
      this.#failure ??= failure;
      this.#messages = [];
    }
    this.#isOver = true;
    this.#wake?.();
  }

  /** @param decode makes a message of what came */
  async *messages<Message>(decode: (envelope: Envelope) => Message | Promise<Message>): AsyncGenerator<Message> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes.length;
        this.#taken(next.bytes.length);
        yield await decode(next);
      } else {
        if (this.#failure !== undefined) throw this.#failure;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => this.#wake = resolve);
        this.#wake = undefined;
      }
    }
  }
}
