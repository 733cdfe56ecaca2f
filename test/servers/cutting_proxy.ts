import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** The moment at which a connection breaks: before the request arrives, or after it is executed. */
export type Cut = "request" | "response";

/** The kind of network outage: connections are refused, or packets are silently dropped. */
export type Outage = "refused" | "silent";

/** A TCP proxy that breaks connections on request. */
export class CuttingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: { readonly text: RegExp; readonly cut: Cut } | undefined;
  #cuts = 0;
  #outage: Outage | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param port the local port of the server */
  static async start(port: number): Promise<CuttingProxy> {
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on("connection", (client: Socket) => proxy.#forward(client, connect(port, "127.0.0.1")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of connections that were cut. */
  get cuts(): number {
    return this.#cuts;
  }

  /** Cuts the connection of the next request that matches a pattern. */
  cutNext(text: RegExp, cut: Cut): void {
    this.#next = { text, cut };
  }

  /** Starts an outage, until `restore`. */
  cutOff(outage: Outage): void {
    this.#outage = outage;
    if (outage === "refused") this.#destroyAll();
  }

  restore(): void {
    this.#outage = undefined;
    // Otherwise delayed data would arrive now.
    this.#destroyAll();
  }

  #destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket, server: Socket): void {
    let losesResponse = false;
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
        losesResponse = this.#next.cut === "response";
        this.#next = undefined;
        this.#cuts++;
        if (!losesResponse) return end();
      }
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      if (this.#outage !== undefined) return;
      if (losesResponse) end();
      else client.write(chunk);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#destroyAll();
    this.#server.close();
    await once(this.#server, "close");
  }
}
