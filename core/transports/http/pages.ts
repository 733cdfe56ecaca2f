import { nearest } from "../../base/nearest.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { KERNEL_VERSION } from "../../base/version.ts";
import type { JsonResponse } from "./response.ts";
import { successEnvelope } from "./envelope.ts";
import type { HeaderReader } from "../../net/http_message.ts";

/** Describes the server. Existing clients use it to check that the server is reachable. */
export function rootResponse(kernel: Kernel): JsonResponse {
  const services = [...new Set(kernel.operations.all.map(({ method }) => method.parent.name))];
  const data = {
    name: "Edgehelm",
    kernel: KERNEL_VERSION,
    explorer: "/explorer",
    jwks: "/.well-known/jwks.json",
    services,
  };
  return { status: 200, json: successEnvelope(JSON.stringify(data)) };
}

/** Returns the text of /readyz for an installation that serves: `ok`, or the plugins that do not run. */
/** Creates the response to an unknown path, which suggests a similar service or method. */
export function unknownPath(kernel: Kernel, path: string): JsonResponse {
  const [, service = "", method = ""] = path.split("/");
  const error = kernel.errorOfService(service.slice(service.lastIndexOf(".") + 1));
  if (error !== undefined) return errorResponse(503, error.reason, error.message);
  const served = kernel.operations.all.filter(({ method }) => method.methodKind === "unary");
  const methodsOf = Map.groupBy(
    served.map(({ path }) => path.split("/") as [string, string, string]),
    (path) => path[1],
  );
  const suggest = (of: string) => {
    const found = nearest(method, methodsOf.get(of)!.map((path) => path[2]));
    return found && `/${of}/${found}`;
  };
  if (methodsOf.has(service)) return notFound(`${service} has no method "${truncated(method)}"`, suggest(service));
  const similar = nearest(service, methodsOf.keys());
  return notFound(`there is no service "${truncated(service)}"`, similar && suggest(similar));
}

function notFound(cause: string, suggestion: string | undefined): JsonResponse {
  const hint = suggestion === undefined
    ? "calls are POST /<ServiceName>/<methodName>"
    : `did you mean ${truncated(suggestion)}?`;
  return errorResponse(404, "kernel.unknown_path", `${cause}; ${hint}`);
}

/** Returns true for gRPC over HTTP/2, which needs trailers. */
export function isNativeGrpc(header: HeaderReader): boolean {
  return /^application\/grpc(\+|;|$)/.test(header("content-type") ?? "");
}

/** Creates an error response with the status in the headers, where gRPC clients find it. */
export function nativeGrpcUnsupported(): Response {
  const message = "this port serves JSON, gRPC-Web and Connect; native gRPC needs a listener of its own";
  const headers = { "content-type": "application/grpc", "grpc-status": "12", "grpc-message": message };
  return new Response(null, { status: 200, headers });
}

export function wrongMethod(method: string, path: string): JsonResponse {
  return errorResponse(405, "kernel.wrong_verb", `${method} is not allowed on ${truncated(path)}: send a POST`);
}

function errorResponse(code: number, reason: string, message: string): JsonResponse {
  return { status: code, json: JSON.stringify({ code, data: {}, message, reason }) };
}

function truncated(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
