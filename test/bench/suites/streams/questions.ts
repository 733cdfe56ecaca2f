import { createSocket, type Socket } from "node:dgram";
import { type Answer, decode, encode } from "dns-packet";

const ASK_EVERY_MILLISECONDS = 2;
/** A node that catches up with a million records needs minutes. */
const MAX_ANSWER_MILLISECONDS = 900_000;

/** A resolver that asks a server until it gives an address. */
export class Questions implements Disposable {
  readonly #socket: Socket = createSocket("udp4");
  readonly #port: number;
  readonly #waiting = new Map<number, (addresses: readonly string[]) => void>();
  #id = 0;

  constructor(port: number) {
    this.#port = port;
    this.#socket.on("message", (message) => {
      const { id = 0, answers = [] } = decode(message);
      this.#waiting.get(id)?.(answers.flatMap((answer: Answer) => answer.type === "A" ? [answer.data] : []));
    });
  }

  /** Waits until a name has only this address. */
  async until(name: string, address: string): Promise<void> {
    const id = this.#id = (this.#id + 1) & 0xffff;
    const question = encode({ type: "query", id, questions: [{ type: "A", name }] });
    const ask = () => this.#socket.send(question, this.#port, "127.0.0.1");
    const timer = setInterval(ask, ASK_EVERY_MILLISECONDS);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = setTimeout(() => reject(new Error(`${name} does not become ${address}`)), MAX_ANSWER_MILLISECONDS);
    this.#waiting.set(id, (addresses) => addresses.length === 1 && addresses[0] === address && resolve());
    try {
      ask();
      await promise;
    } finally {
      clearInterval(timer);
      clearTimeout(end);
      this.#waiting.delete(id);
    }
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}
