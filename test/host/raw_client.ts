import { connect, type Socket } from "node:net";

/** A TCP client that sends arbitrary bytes and stores everything that it receives. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves with everything received when the connection is closed. */
  readonly closed: Promise<string>;
  #received = "";
  #waiting: (() => void)[] = [];

  /** @param from the local address, such as 127.0.0.2 */
  constructor(url: string, from = "127.0.0.1") {
    this.socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: from });
    this.socket.setNoDelay(true);
    this.socket.on("data", (chunk) => {
      this.#received += chunk.toString("latin1");
      for (const resume of this.#waiting.splice(0)) resume();
    });
    // Tests detect errors by the received text.
    this.socket.on("error", () => this.socket.destroy());
    this.closed = new Promise((resolve) =>
      this.socket.once("close", () => {
        for (const resume of this.#waiting.splice(0)) resume();
        resolve(this.#received);
      })
    );
  }

  get received(): string {
    return this.#received;
  }

  send(text: string | Uint8Array): this {
    if (this.socket.writable) this.socket.write(text);
    return this;
  }

  /**
   * Waits for a text.
   *
   * @throws Error if the connection closes before the text arrives
   */
  async until(expected: string | RegExp): Promise<string> {
    while (!(typeof expected === "string" ? this.#received.includes(expected) : expected.test(this.#received))) {
      if (this.socket.destroyed) throw new Error(`closed before ${expected} arrived: ${this.#received}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  /** Sends the bytes of `text` repeatedly, one at each interval, until the connection is closed. */
  trickle(text: string, intervalMilliseconds: number): this {
    let at = 0;
    const timer = setInterval(() => this.send(text[at++ % text.length]!), intervalMilliseconds);
    this.socket.once("close", () => clearInterval(timer));
    return this;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Returns the head of a POST request. */
export function head(path: string, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries({ host: "edgehelm.test", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
