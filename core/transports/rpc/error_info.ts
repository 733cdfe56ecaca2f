import { create } from "@bufbuild/protobuf";
import { type Any, anyPack } from "@bufbuild/protobuf/wkt";
import { type ErrorInfo, ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import type { RpcError } from "../../base/errors.ts";

/** Returns the machine-readable details of an error for gRPC, gRPC-Web and Connect: a google.rpc.ErrorInfo. */
export function errorInfo({ reason, retryAfterSeconds }: RpcError, requestId: string): ErrorInfo {
  const metadata: Record<string, string> = { requestId };
  if (retryAfterSeconds !== undefined) metadata["retryAfterSeconds"] = String(retryAfterSeconds);
  return create(ErrorInfoSchema, { reason, domain: "edgehelm", metadata });
}

/** Returns all details of an error: its google.rpc.ErrorInfo, unless the service goes without, and its own. */
export function errorDetails(error: RpcError, requestId: string, hasInfo: boolean): Any[] {
  return hasInfo ? [anyPack(ErrorInfoSchema, errorInfo(error, requestId)), ...error.details] : [...error.details];
}
