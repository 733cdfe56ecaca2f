import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Where a connection breaks: before the request arrives, or after it was done and before its answer arrives. */
export type Cut = "request" | "answer";

/** How a network fails: at once, or so that nothing comes and nothing says why. */
export type Outage = "refused" | "silent";

/** Stands between a client and a server, and breaks connections on request. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: { readonly text: RegExp; readonly cut: Cut } | undefined;
  #cuts = 0;
  #outage: Outage | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param port of the server, on this machine */
  static async start(port: number): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on("connection", (client: Socket) => proxy.#join(client, connect(port, "127.0.0.1")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Connections that were cut. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Cuts the connection of the next request that holds this text. */
  cutNext(text: RegExp, cut: Cut): void {
    this.#next = { text, cut };
  }

  /** Lets nothing through any more, until it is restored. */
  cutOff(outage: Outage): void {
    this.#outage = outage;
    if (outage === "refused") this.#destroyAll();
  }

  restore(): void {
    this.#outage = undefined;
    // What was held up would arrive long after it was sent.
    this.#destroyAll();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, server: Socket): void {
    let losesAnswer = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    if (this.#outage === "refused") return end();
    client.on("data", (chunk) => {
      if (this.#outage !== undefined) return;
      if (this.#next?.text.test(chunk.toString("latin1"))) {
        losesAnswer = this.#next.cut === "answer";
        this.#next = undefined;
        this.#cuts++;
        if (!losesAnswer) return end();
      }
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      if (this.#outage !== undefined) return;
      if (losesAnswer) end();
      else client.write(chunk);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#destroyAll();
    this.#server.close();
    await once(this.#server, "close");
  }
}
