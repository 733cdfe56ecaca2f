import type { RpcError } from "../base/errors.ts";
import { failureEnvelope } from "../transports/http/envelope.ts";
import { incomingCall, requestId } from "../transports/http/incoming.ts";
import { isNativeGrpc, nativeGrpcRefused } from "../transports/http/pages.ts";

/** How paths of gRPC-Web and Connect begin: the service's full name. */
const RPC_PATH = /^\/\w+(?:\.\w+)+\/\w+$/;
const GRPC_UNAVAILABLE = "14";

/** What an isolate answers whose installation is not open: in the protocol that the request speaks. */
export function unavailableResponse(request: Request, error: RpcError, mirrorsStatus: boolean): Response {
  const { header } = incomingCall(request, undefined);
  const { pathname } = new URL(request.url);
  const retry = { "retry-after": String(error.retryAfterSeconds ?? 1) };
  if (pathname === "/livez") return new Response("ok\n");
  if (request.method !== "POST") {
    const text = pathname === "/readyz" ? `not ready: ${error.message}\n` : `${error.message}\n`;
    return new Response(text, { status: 503, headers: retry });
  }
  if (isNativeGrpc(header)) return nativeGrpcRefused();
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
  return new Response(failureEnvelope(error, id), { status: mirrorsStatus ? 503 : 200, headers });
}
