import type { RpcError } from "../../base/errors.ts";
import type { Envelope } from "./codec.ts";

/** A queue for the messages of a client stream, from which the handler takes them. */
export class Inbox {
  readonly #onConsumed: (bytes: number) => void;
  #messages: Envelope[] = [];
  #bytes = 0;
  #isEnded = false;
  #error: RpcError | undefined;
  #wake: (() => void) | undefined;

  /** @param onConsumed called with the size of each message that the handler takes */
  constructor(onConsumed: (bytes: number) => void) {
    this.#onConsumed = onConsumed;
  }

  /** The number of queued messages. */
  get length(): number {
    return this.#messages.length;
  }

  /** The number of queued bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  add(message: Envelope): void {
    if (this.#isEnded) return;
    this.#messages.push(message);
    this.#bytes += message.bytes.length;
    this.#wake?.();
  }

  /** Ends the queue. With an error, the queued messages are dropped and the handler's iteration throws the error. */
  end(error?: RpcError): void {
    if (error !== undefined) {
      this.#error ??= error;
      this.#messages = [];
    }
    this.#isEnded = true;
    this.#wake?.();
  }

  /** Yields the messages until the queue ends. */
  async *messages<Message>(decode: (envelope: Envelope) => Message | Promise<Message>): AsyncGenerator<Message> {
    for (;;) {
      const next = this.#messages.shift();
      if (next !== undefined) {
        this.#bytes -= next.bytes.length;
        this.#onConsumed(next.bytes.length);
        yield await decode(next);
      } else {
        if (this.#error !== undefined) throw this.#error;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => this.#wake = resolve);
        this.#wake = undefined;
      }
    }
  }
}
