/** A byte stream to one client over TCP or TLS, provided by the host. Its methods are not called after `destroy`. */
export interface ByteSocket {
  /** The address of the client; empty if it is not known. */
  readonly remoteAddress: string;
  /** Takes ownership of the bytes. Returns false if too many bytes are buffered; `drained` is called later. */
  write(bytes: Uint8Array): boolean;
  /** Sends buffered bytes, then closes. */
  end(): void;
  destroy(): void;
  /** Stops reading. */
  pause(): void;
  /** Continues reading. */
  resume(): void;
}

/** The events of a socket, called by the host. */
export interface SocketEvents {
  /** Called with received bytes. The host does not reuse the buffer. */
  received(chunk: Uint8Array): void;
  /** Called when buffered bytes have been sent, after `write` returned false. */
  drained(): void;
  /** Called when either side has closed the socket. */
  closed(): void;
}
