import { create, toBinary } from "@bufbuild/protobuf";
import type { Any } from "@bufbuild/protobuf/wkt";
import { StatusSchema } from "../../../proto/google/rpc/status_pb.ts";
import { errorDetails } from "../rpc/error_info.ts";
import { ERROR_CODES, type RpcError } from "../../base/errors.ts";
import type { MetadataField } from "../../base/metadata.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import { encodeBase64 } from "../../protobuf/json/base64.ts";

type Fields = readonly MetadataField[];

const OK: MetadataField = ["grpc-status", "0"];
/** The trailers of a successful call. */
export const OK_TRAILERS: Uint8Array = encodeHeaderBlock([OK]);

/** Returns the trailers of a successful call with those that its handler has set. */
export function okTrailers(fields: Iterable<MetadataField>): Uint8Array {
  return encodeHeaderBlock([OK, ...fields]);
}

/** A protocol error with its gRPC status code, thrown before an operation is called. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const UNIMPLEMENTED = 12;
const INTERNAL = 13;

export function unimplemented(message: string): GrpcError {
  return new GrpcError(UNIMPLEMENTED, message);
}

/** Creates the error for a unary or server streaming call without exactly one message. */
export function notOneMessage(): GrpcError {
  return unimplemented("the method takes exactly one message");
}

/** Creates the error for a message with the compressed flag in a call without a compression. */
export function notCompressed(): GrpcError {
  return new GrpcError(INTERNAL, "a message has the compressed flag, but grpc-encoding is identity");
}

/** The length to which error messages are truncated, because they must fit into one frame with their details. */
const MAX_MESSAGE_LENGTH = 2048;

/**
 * Returns the trailers of a failed call. Programs read the error's reason from google.rpc.ErrorInfo in its details.
 *
 * @param hasInfo false to leave that out
 */
export function errorTrailers(error: RpcError | GrpcError, requestId: string, hasInfo = true): Fields {
  if (error instanceof GrpcError) return statusTrailers(error.status, error.message);
  const code = ERROR_CODES[error.kind].grpc;
  const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
  const details = errorDetails(error, requestId, hasInfo);
  const { retryAfterSeconds } = error;
  const retry: Fields = retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]];
  return [...statusTrailers(code, message), ...detailFields(code, message, details), ...retry];
}

function detailFields(code: number, message: string, details: Any[]): Fields {
  if (details.length === 0) return [];
  const status = create(StatusSchema, { code, message, details });
  return [["grpc-status-details-bin", encodeBase64(toBinary(StatusSchema, status)).replace(/={1,2}$/, "")]];
}

function statusTrailers(code: number, message: string): Fields {
  return [["grpc-status", String(code)], ["grpc-message", percentEncode(message)]];
}

const encoder = new TextEncoder();

/** Encodes a grpc-message: UTF-8 in which all bytes but printable ASCII without `%` are percent-encoded. */
export function percentEncode(text: string): string {
  let encoded = "";
  for (const byte of encoder.encode(text)) {
    encoded += byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
