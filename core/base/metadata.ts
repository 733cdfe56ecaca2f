/**
 * The header fields of a request, without those that the kernel keeps for itself: access tokens, cookies, fields of the
 * connection (`connection`, `te`, `host` and others), and fields of the protocol (`content-*`, `accept-encoding`,
 * `grpc-*`, `connect-*`). Names are in lower case. Treat values as the caller's input.
 */
export interface RequestMetadata {
  /** The names of the fields, in the order of their first occurrence. */
  readonly names: readonly string[];
  /** True for a GET request of the Connect protocol, whose response caches may keep if its headers say so. */
  readonly isGet: boolean;
  /** Returns the value of a field; the values of a repeated field are joined by `, `. Undefined if there is none. */
  get(name: string): string | undefined;
  /**
   * Returns the values of a field, one for each occurrence. HTTP/1.1, gRPC-Web and Connect join them into one before
   * they get here, as HTTP allows, so split a list at its commas on every wire.
   */
  values(name: string): readonly string[];
  /**
   * Returns the values of a binary field, whose name ends in `-bin`. A value that is not base64 is left out.
   *
   * @throws TypeError if the name has another end
   */
  bytes(name: string): readonly Uint8Array<ArrayBuffer>[];
}

/**
 * The header or trailer fields of a response: at most 64, and at most 8192 bytes, where each field counts its name, its
 * value and 32 bytes.
 */
export interface ResponseMetadata {
  /**
   * Sets a field to one value, in place of earlier ones.
   *
   * @param name in either case; `-bin` at its end makes the field binary
   * @param value printable ASCII without white space at its ends; for a binary field bytes, or their base64
   * @throws TypeError if the kernel keeps the field for itself, or the name or the value is malformed; RangeError if the
   *   fields exceed their limit; Error if the fields have been sent, as the headers of a stream with its first message
   */
  set(name: string, value: string | Uint8Array): void;
  /** Adds a value to a field, which may occur many times. Throws as `set` does. */
  append(name: string, value: string | Uint8Array): void;
}

/**
 * The header fields of a request, and the header and trailer fields of its response, on every wire. Over HTTP JSON and
 * unary Connect, trailers are headers whose names begin with `trailer-`. They are sent with errors as well. A repeated
 * request with the same idempotency key gets the stored response without them.
 *
 * @example
 * ```ts
 * import type { Call } from "edgehelm";
 *
 * function tag({ metadata: { request, headers, trailers } }: Call, checksum: Uint8Array): void {
 *   const trace = request.get("x-trace");
 *   if (trace !== undefined) headers.set("x-trace", trace.slice(0, 100));
 *   if (request.isGet) headers.set("cache-control", "private, max-age=60");
 *   trailers.set("x-checksum-bin", checksum);
 * }
 * ```
 */
export interface Metadata {
  readonly request: RequestMetadata;
  readonly headers: ResponseMetadata;
  readonly trailers: ResponseMetadata;
}

/** One field: its lower-case name and its value. */
export type MetadataField = readonly [name: string, value: string];
