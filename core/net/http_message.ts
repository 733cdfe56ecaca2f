/** Reads a header by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined;

/** A complete HTTP response, independent of the listener that sends it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** One HTTP request, independent of the listener that received it. */
export interface IncomingCall {
  readonly header: HeaderReader;
  /** Returns all header fields, with names in lower case. */
  fields(): Iterable<readonly [name: string, value: string]>;
  /** The address of the other end of the connection, if the listener knows it. */
  readonly peer: string | undefined;
  readonly body: IncomingBody;
  /** Calls `gone` if the caller disconnects before the response is sent. */
  watchCaller(gone: () => void): void;
}

/** The body of a request. It is read once, either whole or in chunks. Both throw when the request is cut short. */
export interface IncomingBody {
  /** Returns the whole body, for requests that announced a small one; synchronously if it has already arrived. */
  whole(): Uint8Array | Promise<Uint8Array>;
  /** Yields the body as it arrives. If a reader stops early, the connection remains usable for a response. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Drops whatever has not been read. */
  discard(): void;
}
