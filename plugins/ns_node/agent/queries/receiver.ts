import { chmodSync, chownSync, existsSync, rmSync, statSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { errorText, type Log } from "../log.ts";
import { CONTROL, controlFrame, FrameReader } from "./frames.ts";

/** A socket at which Knot delivers frames. */
export class FrameReceiver {
  readonly #path: string;
  readonly #log: Log;
  readonly #take: (frame: Uint8Array) => void;
  readonly #connections = new Set<Socket>();
  #server: Server | undefined;

  constructor(path: string, log: Log, take: (frame: Uint8Array) => void) {
    this.#path = path;
    this.#log = log;
    this.#take = take;
  }

  /** Listens, also again if the socket is no more: it is in a directory that may go away when Knot is stopped. */
  async listen(): Promise<void> {
    if (this.#server !== undefined && existsSync(this.#path)) return;
    this.#server?.close();
    this.#server = undefined;
    // one that an agent left when it was killed
    rmSync(this.#path, { force: true });
    const server = createServer((socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(this.#path, resolve));
    server.on("error", (error) => this.#log.warn("no queries are received", { error: errorText(error) }));
    share(this.#path);
    this.#server = server;
  }

  close(): void {
    this.#server?.close();
    for (const socket of this.#connections) socket.destroy();
    rmSync(this.#path, { force: true });
  }

  #accept(socket: Socket): void {
    const reader = new FrameReader();
    this.#connections.add(socket);
    socket.once("close", () => this.#connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Uint8Array) => {
      try {
        for (const frame of reader.push(chunk)) {
          if ("data" in frame) this.#take(frame.data);
          else if (frame.control === CONTROL.ready) socket.write(controlFrame(CONTROL.accept));
          else if (frame.control === CONTROL.stop) socket.end(controlFrame(CONTROL.finish));
        }
      } catch (error) {
        this.#log.warn("Knot sent queries that cannot be read", { error: errorText(error) });
        socket.destroy();
      }
    });
  }
}

/** Lets those write to the socket to whom its directory belongs, which are Knot, and no others. */
function share(path: string): void {
  const { uid, gid } = statSync(dirname(path));
  try {
    chownSync(path, uid, gid);
  } catch {
    // an agent that is not root runs as the same user as Knot
  }
  chmodSync(path, 0o660);
}
