import { nearest } from "../../base/nearest.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { KERNEL_VERSION } from "../../base/version.ts";
import type { JsonResponse } from "./response.ts";
import { successEnvelope } from "./envelope.ts";
import type { HeaderReader } from "../../net/http_message.ts";

/** Says what this is; existing clients use it to see whether the server is there. */
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

/** Names the service or method that was probably meant. */
export function unknownPath(kernel: Kernel, path: string): JsonResponse {
  const [, service = "", method = ""] = path.split("/");
  const operations = kernel.operations.all;
  const services = [...new Set(operations.map((one) => one.method.parent.name))];
  if (!services.includes(service)) {
    const near = nearest(service, services);
    return notFound(`there is no service "${shortened(service)}"`, near && `/${near}/${method}`);
  }
  const methods = operations.filter((one) => one.method.parent.name === service).map((one) => one.path.split("/")[2]!);
  const near = nearest(method, methods);
  return notFound(`${service} has no method "${shortened(method)}"`, near && `/${service}/${near}`);
}

function notFound(fault: string, near: string | undefined): JsonResponse {
  const hint = near === undefined ? "calls are POST /<ServiceName>/<methodName>" : `did you mean ${shortened(near)}?`;
  return failure(404, "kernel.unknown_path", `${fault}; ${hint}`);
}

/** Whether a request speaks gRPC over HTTP/2, which needs trailers. */
export function isNativeGrpc(header: HeaderReader): boolean {
  return /^application\/grpc(\+|;|$)/.test(header("content-type") ?? "");
}

/** A status in the headers, where gRPC clients find it. */
export function nativeGrpcRefused(): Response {
  const message = "this port serves JSON, gRPC-Web and Connect; native gRPC needs a listener of its own";
  const headers = { "content-type": "application/grpc", "grpc-status": "12", "grpc-message": message };
  return new Response(null, { status: 200, headers });
}

export function wrongVerb(verb: string, path: string): JsonResponse {
  return failure(405, "kernel.wrong_verb", `${verb} is not allowed on ${shortened(path)}: send a POST`);
}

function failure(code: number, reason: string, message: string): JsonResponse {
  return { status: code, json: JSON.stringify({ code, data: {}, message, reason }) };
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
