/** The options of a request to another machine: those of `fetch` that every runtime has, and its limits. */
export interface OutboundInit extends Pick<RequestInit, "method" | "headers" | "signal"> {
  /** The body, which is sent whole and therefore not a stream. */
  readonly body?: Exclude<BodyInit, ReadableStream> | null;
  /**
   * The treatment of a redirect: `follow` sends the request to its address, `manual` returns the response, `error`
   * throws. Defaults to `follow`.
   */
  readonly redirect?: RequestRedirect;
  /** The time for everything, until the last byte of the body is read: 1 to 600,000. Defaults to 30,000. */
  readonly timeoutMilliseconds?: number;
  /** The maximum size of the body of the response: 0 to 1 GiB. Defaults to 1 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of redirects that are followed: 0 to 10. Defaults to 5. */
  readonly maxRedirects?: number;
  /** The certificates of authorities, as PEM, to trust in place of those of the runtime. Workers refuse it. */
  readonly ca?: string;
}

/** The options of TLS on a connection to another machine. */
export interface OutboundTls {
  /** The name in the certificate, which is also sent as SNI. Defaults to the host of the connection. */
  readonly serverName?: string;
  /** The certificates of authorities, as PEM, to trust in place of those of the runtime. */
  readonly ca?: string;
}

/** The peer and the limits of a connection to another machine. */
export interface OutboundTarget {
  /** A host name or an IP address, without brackets. */
  readonly host: string;
  /** The TCP port: 1 to 65535. */
  readonly port: number;
  /** TLS from the first byte: true, or its options. By default the connection is plain TCP. */
  readonly tls?: boolean | OutboundTls;
  /** Closes the connection when it aborts. */
  readonly signal?: AbortSignal | null;
  /** The time until the connection is closed: 1 to 3,600,000. Defaults to 60,000. */
  readonly timeoutMilliseconds?: number;
  /** The maximum number of bytes to receive: 0 to 1 GiB. Defaults to 16 MiB. */
  readonly maxBytes?: number;
}

/** An open connection to another machine. */
export interface OutboundConnection extends AsyncDisposable {
  /** The address of the peer, which passed the guard. */
  readonly remoteAddress: string;
  /** The received bytes. It fails if a limit of the connection is exceeded. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends bytes. Closing it ends the sending direction. */
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Begins TLS, as protocols with STARTTLS do. Cancel or release no stream before: the streams of this object end, and
   * the new connection has its own.
   *
   * @throws RpcError unavailable, if the certificate is not that of the host or is not trusted
   */
  startTls(options?: OutboundTls): Promise<OutboundConnection>;
  /** Closes the connection at once. */
  close(): void;
}

/** The way to other machines, which every request and connection of plugins takes. */
export interface Outbound {
  fetch(input: string | URL, init?: OutboundInit): Promise<Response>;
  connect(target: OutboundTarget): Promise<OutboundConnection>;
  /** Refuses, with an error that names `field`, a host that the others would refuse. */
  requireHost(field: string, host: string, signal: AbortSignal): Promise<void>;
}
