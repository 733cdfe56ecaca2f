import { maySupplyRequestId, newRequestId } from "../../net/request_ids.ts";
import type { HeaderReader, IncomingCall } from "../../net/http_message.ts";
import { forwardedAddress } from "../../net/remote_address.ts";

/** The bindings that a listener passes to the fetch app together with a request. */
export interface HttpBindings {
  /** The call from which the listener created the request. Reading it is faster. */
  readonly call?: IncomingCall;
  /** The address of the other end of the connection, if there is no `call`. */
  readonly remoteAddress?: string | undefined;
}

/** Returns the call of a request. */
export function incomingCall(request: Request, bindings: HttpBindings | undefined): IncomingCall {
  return bindings?.call ?? {
    header: (name) => request.headers.get(name) ?? undefined,
    fields: () => request.headers,
    peer: bindings?.remoteAddress,
    body: {
      whole: async () => new Uint8Array(await request.arrayBuffer()),
      async *chunks() {
        if (request.body !== null) yield* request.body;
      },
      // The runtime discards it.
      discard() {},
    },
    watchCaller(onGone) {
      if (request.signal.aborted) onGone();
      else request.signal.addEventListener("abort", onGone, { once: true });
    },
  };
}

/** Returns the client's address: the other end of the connection, or the address that a reverse proxy forwards. */
export function remoteAddress({ header, peer }: IncomingCall, behindProxy: boolean): string | undefined {
  return behindProxy ? forwardedAddress(header("x-forwarded-for")) ?? peer : peer;
}

/** Returns the access token from this API's header, one of its older names, or the Authorization header (RFC 6750). */
export function accessToken(header: HeaderReader): string | undefined {
  const token = header("x-cloud-access-token") ?? header("x-edge-access-token") ?? header("edge-access-token");
  if (token !== undefined) return token;
  const authorization = header("authorization");
  return authorization?.slice(0, 7).toLowerCase() === "bearer " ? authorization.slice(7).trim() : undefined;
}

/** Returns the request id that the client supplied if it is valid, or else a new one. */
export function requestId(header: HeaderReader): string {
  const supplied = header("x-request-id");
  return supplied !== undefined && maySupplyRequestId(supplied) ? supplied : newRequestId();
}

/** Returns true if the client asked for an indented response. The oldest header name takes precedence. */
export function wantsPretty(header: HeaderReader): boolean {
  const value = header("edge-response-pretty") ?? header("x-cloud-response-pretty") ?? header("x-edge-response-pretty");
  return value !== undefined && value.toLowerCase() === "on";
}
