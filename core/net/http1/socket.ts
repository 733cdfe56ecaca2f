import type { ByteSocket, SocketEvents } from "../http2/socket.ts";

/** A byte stream that also accepts Latin-1 text, which is cheaper than encoding it first. */
export interface TextSocket extends ByteSocket {
  writeText(text: string): boolean;
}

export interface TextSocketEvents extends SocketEvents {
  /** Called when the client has closed its sending side. It may still read. */
  ended(): void;
  /** Called after `end`, when everything has been sent. */
  flushed(): void;
}
