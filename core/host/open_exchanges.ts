import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The open connections of a server and the answers that they wait for, so that a stop cuts none of these off. */
export class OpenExchanges {
  readonly #sockets = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();
  #isClosing = false;

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  begin(response: ServerResponse): void {
    if (this.#isClosing) response.shouldKeepAlive = false;
    this.#responses.add(response);
    response.once("close", () => this.#responses.delete(response));
  }

  beginClose(): void {
    this.#isClosing = true;
    for (const response of this.#responses) response.shouldKeepAlive = false;
  }

  closeIdle(): void {
    const busy = new Set([...this.#responses].map(({ socket }) => socket));
    for (const socket of this.#sockets) if (!busy.has(socket)) socket.destroy();
  }
}
