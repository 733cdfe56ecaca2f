/** A byte stream to one client, as the host opens it (TCP or TLS). Nothing is called on it after `destroy`. */
export interface ByteSocket {
  /** Where it comes from; empty when that is not known. */
  readonly remoteAddress: string;
  /** Takes the bytes over. False when what waits to be sent is more than it likes; `drained` follows. */
  write(bytes: Uint8Array): boolean;
  /** Sends what waits, then closes. */
  end(): void;
  destroy(): void;
  /** Stops and goes on reading. */
  pause(): void;
  resume(): void;
}

/** What the host tells of a socket that it gave to a server. */
export interface SocketEvents {
  /** Bytes came; the host does not use the buffer again. */
  received(chunk: Uint8Array): void;
  /** What waited to be sent was taken. */
  drained(): void;
  /** The socket is closed, by either side. */
  closed(): void;
}
