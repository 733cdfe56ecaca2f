import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../../proto/google/rpc/status_pb.ts";
import { errorInfo } from "../../base/error_info.ts";
import { ERROR_CODES, type RpcError } from "../../base/errors.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import { encodeBase64 } from "../../protobuf/json/base64.ts";

type Fields = readonly (readonly [name: string, value: string])[];

const HEAD: Fields = [[":status", "200"], ["content-type", "application/grpc"]];
const ACCEPTED: Fields = [["grpc-accept-encoding", "gzip, identity"]];
/** The trailers of a successful call. */
export const OK_TRAILERS: Uint8Array = encodeHeaderBlock([["grpc-status", "0"]]);

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

const headers = encodeHeaderBlock([...HEAD, ...ACCEPTED, ["x-request-id", ""]]);
const gzipHeaders = encodeHeaderBlock([...HEAD, ...ACCEPTED, ["grpc-encoding", "gzip"], ["x-request-id", ""]]);

/**
 * Returns the header block before the messages of a response.
 *
 * @param requestId up to 64 ASCII characters
 */
export function responseHeaders(requestId: string, isGzip: boolean): Uint8Array {
  const template = isGzip ? gzipHeaders : headers;
  const block = new Uint8Array(template.length + requestId.length);
  block.set(template);
  // The last byte of the template is the length of the empty value.
  block[template.length - 1] = requestId.length;
  for (let at = 0; at < requestId.length; at++) block[template.length + at] = requestId.charCodeAt(at);
  return block;
}

/** Returns the trailers of a failed call. Programs read the error's reason from google.rpc.ErrorInfo in its details. */
export function errorTrailers(error: RpcError | GrpcError, requestId: string): Fields {
  if (error instanceof GrpcError) return statusTrailers(error.status, error.message);
  const code = ERROR_CODES[error.kind].grpc;
  const message = error.message.slice(0, MAX_MESSAGE_LENGTH);
  const status = create(StatusSchema, {
    code,
    message,
    details: [anyPack(ErrorInfoSchema, errorInfo(error, requestId))],
  });
  const details = encodeBase64(toBinary(StatusSchema, status)).replace(/={1,2}$/, "");
  const { retryAfterSeconds } = error;
  const retry: Fields = retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]];
  return [...statusTrailers(code, message), ["grpc-status-details-bin", details], ...retry];
}

function statusTrailers(code: number, message: string): Fields {
  return [["grpc-status", String(code)], ["grpc-message", percentEncode(message)]];
}

/** Returns the only header block of a response without messages. */
export function trailersOnly(trailers: Fields, requestId?: string): Uint8Array {
  const id: Fields = requestId === undefined ? [] : [["x-request-id", requestId]];
  return encodeHeaderBlock([...HEAD, ...ACCEPTED, ...id, ...trailers]);
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
