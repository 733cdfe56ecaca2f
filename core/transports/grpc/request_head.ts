import { accessToken, requestId } from "../http/incoming.ts";
import { forwardedAddress } from "../../net/remote_address.ts";
import { RpcError } from "../../base/errors.ts";
import { acceptedCoding, type MessageCodings } from "../rpc/codings.ts";
import { headerValue, type RequestHeaders } from "../../net/http2/request_headers.ts";

/** The format of the header grpc-timeout: up to 8 digits and a unit. */
const TIMEOUT = /^([0-9]{1,8})([HMSmun])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** The decoded headers of a gRPC request. */
export interface RequestHead {
  readonly token: string | undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Unix milliseconds. */
  readonly deadline: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** The coding of the messages with the compressed flag; undefined if there is none. */
  readonly coding: string | undefined;
  /** The coding that the caller accepts in responses; undefined if it accepts none that there is. */
  readonly accepted: string | undefined;
  readonly isJson: boolean;
  readonly fields: RequestHeaders["fields"];
  /** The error with which the call must be refused. */
  readonly error: RpcError | undefined;
}

/**
 * Decodes the headers of a gRPC request.
 *
 * @param peer the address of the other end of the connection
 * @param behindProxy true if a proxy forwards the client's address
 * @param now unix milliseconds
 * @param codings those of the runtime
 */
export function readRequestHead(
  { fields }: RequestHeaders,
  peer: string,
  behindProxy: boolean,
  now: number,
  codings: MessageCodings,
): RequestHead {
  const header = (name: string) => headerValue(fields, name);
  const timeout = header("grpc-timeout");
  const encoding = header("grpc-encoding") ?? "identity";
  let deadline: number | undefined;
  let error: RpcError | undefined;
  if (timeout !== undefined) {
    const match = TIMEOUT.exec(timeout);
    if (match !== null) deadline = now + Number(match[1]) * UNIT_MILLISECONDS[match[2]!]!;
    else error = malformed(`grpc-timeout: must be digits and a unit of HMSmun, got ${quoted(timeout)}`);
  }
  const hasCoding = encoding !== "identity";
  if (hasCoding && !codings.names.includes(encoding)) {
    const text = `grpc-encoding: must be one of ${[...codings.names, "identity"].join(", ")}, got ${quoted(encoding)}`;
    error = new RpcError("kernel.unimplemented", "unimplemented", text);
  }
  return {
    token: accessToken(header),
    requestId: requestId(header),
    remoteAddress: behindProxy ? forwardedAddress(header("x-forwarded-for")) ?? peer : peer,
    deadline,
    idempotencyKey: header("idempotency-key"),
    coding: hasCoding ? encoding : undefined,
    accepted: acceptedCoding(header("grpc-accept-encoding"), codings),
    isJson: isJson(header("content-type")!),
    fields,
    error,
  };
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 40));
}

function malformed(text: string): RpcError {
  return new RpcError("kernel.malformed", "invalid", text);
}

function isJson(contentType: string): boolean {
  return contentType.startsWith("+json", "application/grpc".length);
}

/** Returns true for the content types of gRPC: `application/grpc`, `application/grpc+proto`, `application/grpc+json`. */
export function isGrpc(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/grpc(?:\+(?:proto|json))?(?:;|$)/.test(contentType);
}
