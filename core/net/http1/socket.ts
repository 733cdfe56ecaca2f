import type { ByteSocket, SocketEvents } from "../http2/socket.ts";

/** A byte stream to one client that also takes text, each character a byte, which is cheaper than to make bytes of it. */
export interface TextSocket extends ByteSocket {
  writeText(text: string): boolean;
}

export interface TextSocketEvents extends SocketEvents {
  /** The client sends nothing more, and may still read. */
  ended(): void;
  /** After `end`: everything was sent. */
  flushed(): void;
}
