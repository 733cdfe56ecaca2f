import { create } from "@bufbuild/protobuf";
import { type ErrorInfo, ErrorInfoSchema } from "../../proto/google/rpc/error_details_pb.ts";
import type { RpcError } from "./errors.ts";

/** Returns the machine-readable details of an error for gRPC, gRPC-Web and Connect: a google.rpc.ErrorInfo. */
export function errorInfo({ reason, retryAfterSeconds }: RpcError, requestId: string): ErrorInfo {
  const metadata: Record<string, string> = { requestId };
  if (retryAfterSeconds !== undefined) metadata["retryAfterSeconds"] = String(retryAfterSeconds);
  return create(ErrorInfoSchema, { reason, domain: "edgehelm", metadata });
}
