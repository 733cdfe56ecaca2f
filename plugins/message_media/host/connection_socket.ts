import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Call } from "edgehelm";

/** Returns a connection as a socket, for libraries that expect one of Node. Its time limits are the connection's. */
export function connectionSocket({ readable, writable }: Awaited<ReturnType<Call["connect"]>>): Socket {
  const socket = Duplex.fromWeb({ readable: readable as never, writable: writable as never });
  // an error without a listener would end the process
  socket.on("error", () => {});
  const ignored = { setTimeout: () => socket, setKeepAlive: () => socket, setNoDelay: () => socket };
  return Object.assign(socket, ignored) as unknown as Socket;
}
