/** Messages that wait to be sent over a stream, in order. */
export class Outbox<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  push(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    while (true) {
      const message = this.#messages.shift();
      if (message !== undefined) yield message;
      else if (this.#isClosed) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
