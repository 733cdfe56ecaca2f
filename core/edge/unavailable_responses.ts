import type { RpcError } from "../base/errors.ts";
import { errorEnvelope } from "../transports/http/envelope.ts";
import { incomingCall, requestId } from "../transports/http/incoming.ts";
import { isNativeGrpc, nativeGrpcUnsupported } from "../transports/http/pages.ts";

/** The paths of gRPC-Web and Connect: the full name of a service and a method. */
const RPC_PATH = /^\/\w+(?:\.\w+)+\/\w+$/;
const GRPC_UNAVAILABLE = "14";

/** Returns the response of an isolate without an open installation, in the protocol of the request. */
export function unavailableResponse(request: Request, error: RpcError, mirrorsStatus: boolean): Response {
  const { header } = incomingCall(request, undefined);
  const { pathname } = new URL(request.url);
  const retry = { "retry-after": String(error.retryAfterSeconds ?? 1) };
  if (pathname === "/livez") return new Response("ok\n");
  if (request.method !== "POST") {
    const text = pathname === "/readyz" ? `not ready: ${error.message}\n` : `${error.message}\n`;
    return new Response(text, { status: 503, headers: retry });
  }
  if (isNativeGrpc(header)) return nativeGrpcUnsupported();
  const type = header("content-type") ?? "";
  if (type.startsWith("application/grpc-web")) {
    const status = { "grpc-status": GRPC_UNAVAILABLE, "grpc-message": encodeURIComponent(error.message) };
    return new Response(null, { headers: { ...retry, "content-type": type, ...status } });
  }
  if (RPC_PATH.test(pathname)) {
    return Response.json({ code: "unavailable", message: error.message }, { status: 503, headers: retry });
  }
  const id = requestId(header);
  const headers = { ...retry, "content-type": "application/json; charset=utf-8", "x-request-id": id };
  return new Response(errorEnvelope(error, id), { status: mirrorsStatus ? 503 : 200, headers });
}
