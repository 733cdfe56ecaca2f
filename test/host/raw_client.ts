import { connect, type Socket } from "node:net";

/** A TCP client that sends what it is told, byte by byte, and keeps what it gets. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves when the connection is closed, with all that came. */
  readonly closed: Promise<string>;
  #received = "";
  #waiting: (() => void)[] = [];

  /** @param from the local address to come from, such as 127.0.0.2 */
  constructor(url: string, from = "127.0.0.1") {
    this.socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: from });
    this.socket.setNoDelay(true);
    this.socket.on("data", (chunk) => {
      this.#received += chunk.toString("latin1");
      for (const resume of this.#waiting.splice(0)) resume();
    });
    // What went wrong shows in what came.
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

  /** Resolves once `wanted` has come; rejects when the connection closes without it. */
  async until(wanted: string | RegExp): Promise<string> {
    while (!(typeof wanted === "string" ? this.#received.includes(wanted) : wanted.test(this.#received))) {
      if (this.socket.destroyed) throw new Error(`closed without ${wanted}: ${this.#received}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.#received;
  }

  /** Sends a byte of `text` again and again until the connection is closed. */
  trickle(text: string, everyMilliseconds: number): this {
    let at = 0;
    const timer = setInterval(() => this.send(text[at++ % text.length]!), everyMilliseconds);
    this.socket.once("close", () => clearInterval(timer));
    return this;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a POST. */
export function head(path: string, headers: Readonly<Record<string, string | number>> = {}): string {
  const lines = Object.entries({ host: "edgehelm.test", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
