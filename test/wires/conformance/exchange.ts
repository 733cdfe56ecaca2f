import { create } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { type Call, RpcError } from "edgehelm";
import type { ErrorKind } from "edgehelm/runtime";
import {
  Code,
  type ConformancePayload_RequestInfo,
  ConformancePayload_RequestInfoSchema,
  type Error as RequestedError,
  type Header,
} from "./proto/conformance_pb.ts";

/** Calls without a timeout of their own end after this time; see `server.ts`. */
export const CALL_MILLISECONDS = 300_000;

const KINDS: Readonly<Record<Code, ErrorKind>> = {
  [Code.UNSPECIFIED]: "unknown",
  [Code.CANCELED]: "cancelled",
  [Code.UNKNOWN]: "unknown",
  [Code.INVALID_ARGUMENT]: "invalid",
  [Code.DEADLINE_EXCEEDED]: "deadline",
  [Code.NOT_FOUND]: "not_found",
  [Code.ALREADY_EXISTS]: "conflict",
  [Code.PERMISSION_DENIED]: "forbidden",
  [Code.RESOURCE_EXHAUSTED]: "exhausted",
  [Code.FAILED_PRECONDITION]: "failed_precondition",
  [Code.ABORTED]: "aborted",
  [Code.OUT_OF_RANGE]: "out_of_range",
  [Code.UNIMPLEMENTED]: "unimplemented",
  [Code.INTERNAL]: "internal",
  [Code.UNAVAILABLE]: "unavailable",
  [Code.DATA_LOSS]: "data_loss",
  [Code.UNAUTHENTICATED]: "unauthenticated",
};

/** Sets the headers and trailers of the response that a request asks for. */
export function addMetadata(
  { metadata }: Call,
  definition: { readonly responseHeaders: Header[]; readonly responseTrailers: Header[] } | undefined,
): void {
  for (const { name, value } of definition?.responseHeaders ?? []) {
    for (const one of value) metadata.headers.append(name, one);
  }
  for (const { name, value } of definition?.responseTrailers ?? []) {
    for (const one of value) metadata.trailers.append(name, one);
  }
}

/** Returns what the server knows of a request. */
export function requestInfo(call: Call, requests: readonly Any[]): ConformancePayload_RequestInfo {
  const { request } = call.metadata;
  const left = call.deadline - Date.now();
  const timeout = left < CALL_MILLISECONDS / 2 ? { timeoutMs: BigInt(Math.max(0, Math.round(left))) } : {};
  return create(ConformancePayload_RequestInfoSchema, {
    requestHeaders: request.names.map((name) => ({ name, value: [...request.values(name)] })),
    requests: [...requests],
    ...timeout,
    ...request.isGet && { connectGetInfo: {} },
  });
}

/** Returns the requests alone. */
export function requestsInfo(requests: readonly Any[]): ConformancePayload_RequestInfo {
  return create(ConformancePayload_RequestInfoSchema, { requests: [...requests] });
}

/** Returns the error that a request asks for. */
export function requestedError(
  { code, message = "", details }: RequestedError,
  info: ConformancePayload_RequestInfo | undefined,
): RpcError {
  const error = new RpcError("conformance.requested", KINDS[code] ?? "unknown", message).withDetails(...details);
  return info === undefined ? error : error.withDetails(anyPack(ConformancePayload_RequestInfoSchema, info));
}
