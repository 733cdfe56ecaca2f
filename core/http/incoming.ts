import { forwardedAddress } from "../remote_address.ts";

/** What a listener passes along with a request. */
export interface HttpBindings {
  /** The request of a node:http listener, whose headers are read without building a Headers object. */
  readonly incoming?: {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
    /** The body; leaving it early does not end the connection. */
    iterator?(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
    /** Lets the rest of the body go by. */
    resume?(): void;
  };
  /** The answer of a node:http listener. */
  readonly outgoing?: {
    readonly destroyed: boolean;
    readonly writableFinished: boolean;
    once(event: "close", listener: () => void): void;
  };
  /** Where the connection comes from, on other listeners. */
  readonly remoteAddress?: string | undefined;
}

/** Where a request comes from: the connection's other end, or what the proxy that stands in front says of it. */
export function remoteAddress(
  header: HeaderReader,
  bindings: HttpBindings | undefined,
  behindProxy: boolean,
): string | undefined {
  const peer = bindings?.remoteAddress ?? bindings?.incoming?.socket?.remoteAddress;
  return behindProxy ? forwardedAddress(header("x-forwarded-for")) ?? peer : peer;
}

/** Calls `gone` when the caller closes the connection before the answer is out. */
export function watchCaller(request: Request, bindings: HttpBindings | undefined, gone: () => void): void {
  const outgoing = bindings?.outgoing;
  if (outgoing === undefined) {
    if (request.signal.aborted) gone();
    else request.signal.addEventListener("abort", gone, { once: true });
  } else if (outgoing.destroyed) gone();
  else outgoing.once("close", () => outgoing.writableFinished || gone());
}

/** Reads headers by their names in small letters. */
export type HeaderReader = (name: string) => string | undefined;

export function headerReader(request: Request, bindings: HttpBindings | undefined): HeaderReader {
  const headers = bindings?.incoming?.headers;
  if (headers === undefined) return (name) => request.headers.get(name) ?? undefined;
  return (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : value?.join(", ");
  };
}

/** The access token: the header of this API, its older names, or a bearer token. */
export function accessToken(header: HeaderReader): string | undefined {
  const token = header("x-cloud-access-token") ?? header("x-edge-access-token") ?? header("edge-access-token");
  if (token !== undefined) return token;
  const authorization = header("authorization");
  return authorization?.slice(0, 7).toLowerCase() === "bearer " ? authorization.slice(7).trim() : undefined;
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;
const prefix = crypto.randomUUID().slice(0, 8);
let count = 0;

/** The caller's own request id where it is well-formed, else a new one. */
export function requestId(header: HeaderReader): string {
  const given = header("x-request-id");
  return given !== undefined && REQUEST_ID.test(given) ? given : `${prefix}-${(++count).toString(36)}`;
}

/** Whether the answer is to be indented; the oldest header name wins. */
export function wantsPretty(header: HeaderReader): boolean {
  const wish = header("edge-response-pretty") ?? header("x-cloud-response-pretty") ?? header("x-edge-response-pretty");
  return wish !== undefined && wish.toLowerCase() === "on";
}
