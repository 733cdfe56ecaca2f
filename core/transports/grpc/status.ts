import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ErrorInfoSchema } from "../../../proto/google/rpc/error_details_pb.ts";
import { StatusSchema } from "../../../proto/google/rpc/status_pb.ts";
import { errorInfo } from "../../base/error_info.ts";
import { ERROR_CODES, type RpcError } from "../../base/errors.ts";
import { encodeHeaderBlock } from "../../net/hpack/encoder.ts";
import { encodeBase64 } from "../../protobuf/json/base64.ts";

type Fields = readonly (readonly [name: string, value: string])[];

/** What an answer is announced with, and what ends one that succeeded. */
const HEAD: Fields = [[":status", "200"], ["content-type", "application/grpc"]];
const ACCEPTED: Fields = [["grpc-accept-encoding", "gzip, identity"]];
export const OK_TRAILERS: Uint8Array = encodeHeaderBlock([["grpc-status", "0"]]);

/** A fault of the protocol, with the status that gRPC wants for it; no operation was called. */
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

/** The method takes one message, and there were more or none. */
export function notOneMessage(): GrpcError {
  return unimplemented("the method takes exactly one message");
}

/** A message is flagged as compressed, and grpc-encoding does not say how. */
export function notCompressed(): GrpcError {
  return new GrpcError(INTERNAL, "a message is flagged as compressed, and grpc-encoding is identity");
}

/** Longer messages are cut: they must fit into one frame, with their details. */
const MAX_MESSAGE = 2048;

const headers = encodeHeaderBlock([...HEAD, ...ACCEPTED, ["x-request-id", ""]]);
const gzipHeaders = encodeHeaderBlock([...HEAD, ...ACCEPTED, ["grpc-encoding", "gzip"], ["x-request-id", ""]]);

/** The header block before the messages of an answer; it tells the request id (at most 64 characters of ASCII). */
export function responseHeaders(requestId: string, isGzip: boolean): Uint8Array {
  const template = isGzip ? gzipHeaders : headers;
  const block = new Uint8Array(template.length + requestId.length);
  block.set(template);
  // The template ends with the length of an empty value.
  block[template.length - 1] = requestId.length;
  for (let at = 0; at < requestId.length; at++) block[template.length + at] = requestId.charCodeAt(at);
  return block;
}

/** The trailers of a call that failed. The reason travels as google.rpc.ErrorInfo, so that programs need not read the message. */
export function failureTrailers(error: RpcError | GrpcError, requestId: string): Fields {
  if (error instanceof GrpcError) return statusTrailers(error.status, error.message);
  const code = ERROR_CODES[error.kind].grpc;
  const message = error.message.slice(0, MAX_MESSAGE);
  const status = create(StatusSchema, {
    code,
    message,
    details: [anyPack(ErrorInfoSchema, errorInfo(error, requestId))],
  });
  const details = encodeBase64(toBinary(StatusSchema, status)).replace(/=+$/, "");
  const { retryAfterSeconds } = error;
  const retry: Fields = retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]];
  return [...statusTrailers(code, message), ["grpc-status-details-bin", details], ...retry];
}

function statusTrailers(code: number, message: string): Fields {
  return [["grpc-status", String(code)], ["grpc-message", percentEncode(message)]];
}

/** Trailers alone, when no message was sent before. */
export function trailersOnly(trailers: Fields, requestId?: string): Uint8Array {
  const id: Fields = requestId === undefined ? [] : [["x-request-id", requestId]];
  return encodeHeaderBlock([...HEAD, ...ACCEPTED, ...id, ...trailers]);
}

const encoder = new TextEncoder();

/** As the gRPC protocol wants it: UTF-8, with everything but printable ASCII and the percent sign itself as %XX. */
export function percentEncode(text: string): string {
  let encoded = "";
  for (const byte of encoder.encode(text)) {
    encoded += byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}
