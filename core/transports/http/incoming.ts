import type { HeaderReader, IncomingCall } from "../../net/http_message.ts";
import { forwardedAddress } from "../../net/remote_address.ts";

/** What a listener passes along with a request to the fetch app. */
export interface HttpBindings {
  /** What the request was made of, which is cheaper to read. */
  readonly call?: IncomingCall;
  /** Where the connection comes from, where there is no `call`. */
  readonly remoteAddress?: string | undefined;
}

/** The call that a request of the fetch app is. */
export function incomingCall(request: Request, bindings: HttpBindings | undefined): IncomingCall {
  return bindings?.call ?? {
    header: (name) => request.headers.get(name) ?? undefined,
    peer: bindings?.remoteAddress,
    body: {
      whole: async () => new Uint8Array(await request.arrayBuffer()),
      async *chunks() {
        if (request.body !== null) yield* request.body;
      },
      // The runtime sees to it.
      discard() {},
    },
    watchCaller(gone) {
      if (request.signal.aborted) gone();
      else request.signal.addEventListener("abort", gone, { once: true });
    },
  };
}

/** Where a call comes from: the connection's other end, or what the proxy that stands in front says of it. */
export function remoteAddress({ header, peer }: IncomingCall, behindProxy: boolean): string | undefined {
  return behindProxy ? forwardedAddress(header("x-forwarded-for")) ?? peer : peer;
}

/** The access token: the header of this API, its older names, or a bearer token. */
export function accessToken(header: HeaderReader): string | undefined {
  const token = header("x-cloud-access-token") ?? header("x-edge-access-token") ?? header("edge-access-token");
  if (token !== undefined) return token;
  const authorization = header("authorization");
  return authorization?.slice(0, 7).toLowerCase() === "bearer " ? authorization.slice(7).trim() : undefined;
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;
// Made with the first request: some runtimes give no random values before.
let prefix: string | undefined;
let count = 0;

/** The caller's own request id where it is well-formed, else a new one. */
export function requestId(header: HeaderReader): string {
  const given = header("x-request-id");
  if (given !== undefined && REQUEST_ID.test(given)) return given;
  prefix ??= crypto.randomUUID().slice(0, 8);
  return `${prefix}-${(++count).toString(36)}`;
}

/** Whether the answer is to be indented; the oldest header name wins. */
export function wantsPretty(header: HeaderReader): boolean {
  const wish = header("edge-response-pretty") ?? header("x-cloud-response-pretty") ?? header("x-edge-response-pretty");
  return wish !== undefined && wish.toLowerCase() === "on";
}
