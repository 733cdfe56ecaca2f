import type { Socket } from "node:net";
import type { OutboundConnection, OutboundTls } from "../../base/outbound.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A connection over a socket. */
export class SocketConnection implements OutboundConnection {
  readonly #socket: Socket;
  readonly #start: (socket: Socket, options: OutboundTls) => Promise<Socket>;
  readonly #detach: () => void;
  readonly remoteAddress: string;
  readonly readable: ReadableStream<Bytes>;
  readonly writable: WritableStream<Bytes>;

  /** @param start begins TLS on a socket */
  constructor(socket: Socket, start: (socket: Socket, options: OutboundTls) => Promise<Socket>) {
    this.#socket = socket;
    this.#start = start;
    this.remoteAddress = socket.remoteAddress ?? "";
    const { readable, detach } = received(socket);
    this.readable = readable;
    this.#detach = detach;
    this.writable = sent(socket);
  }

  async startTls(options: OutboundTls = {}): Promise<OutboundConnection> {
    this.#detach();
    return new SocketConnection(await this.#start(this.#socket, options), () => {
      return Promise.reject(new Error("the connection has TLS already"));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}

/** Reads a socket only as fast as the stream is consumed, until it is detached. */
function received(socket: Socket): { readonly readable: ReadableStream<Bytes>; readonly detach: () => void } {
  let detach = () => {};
  const readable = new ReadableStream<Bytes>({
    start(controller) {
      const events = {
        data(chunk: Uint8Array) {
          socket.pause();
          controller.enqueue(new Uint8Array(chunk));
        },
        end: () => ended(() => controller.close()),
        error: (error: Error) => ended(() => controller.error(error)),
        close: () => ended(() => controller.error(new Error("closed"))),
      };
      detach = () => {
        for (const [name, listener] of Object.entries(events)) socket.removeListener(name, listener);
      };
      function ended(act: () => void): void {
        detach();
        act();
      }
      for (const [name, listener] of Object.entries(events)) socket.on(name, listener);
      socket.pause();
    },
    pull() {
      socket.resume();
    },
    cancel() {
      detach();
      socket.destroy();
    },
  }, { highWaterMark: 0 });
  return { readable, detach: () => detach() };
}

function sent(socket: Socket): WritableStream<Bytes> {
  const done = (act: (settle: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      const closed = () => reject(new Error("closed"));
      socket.once("close", closed);
      act((error) => {
        socket.removeListener("close", closed);
        if (error) reject(error);
        else resolve();
      });
    });
  return new WritableStream({
    write: (chunk) => done((settle) => void socket.write(chunk, settle)),
    close: () => done((settle) => void socket.end(settle)),
    abort: () => void socket.destroy(),
  });
}
