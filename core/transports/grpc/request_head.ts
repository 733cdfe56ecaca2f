import { accessToken, requestId } from "../http/incoming.ts";
import { forwardedAddress } from "../../net/remote_address.ts";
import { RpcError } from "../../base/errors.ts";
import { headerValue, type RequestHeaders } from "../../net/http2/request_headers.ts";

/** The most digits that a timeout may have, and what its units are in milliseconds (gRPC over HTTP/2). */
const TIMEOUT = /^([0-9]{1,8})([HMSmun])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** What the header fields of a gRPC request say. */
export interface RequestHead {
  readonly token: string | undefined;
  readonly requestId: string;
  readonly remoteAddress: string;
  /** Unix milliseconds. */
  readonly deadline: number | undefined;
  /** How messages with the compressed flag are compressed. */
  readonly isGzip: boolean;
  /** What is wrong with the header fields. */
  readonly fault: RpcError | undefined;
}

/** @param peer the connection's other end, which a proxy that stands in front knows better */
export function readRequestHead(
  { fields }: RequestHeaders,
  peer: string,
  behindProxy: boolean,
  now: number,
): RequestHead {
  const header = (name: string) => headerValue(fields, name);
  const timeout = header("grpc-timeout");
  const encoding = header("grpc-encoding") ?? "identity";
  let deadline: number | undefined;
  let fault: RpcError | undefined;
  if (timeout !== undefined) {
    const match = TIMEOUT.exec(timeout);
    if (match !== null) deadline = now + Number(match[1]) * UNIT_MILLISECONDS[match[2]!]!;
    else {fault = malformed(
        `grpc-timeout: ${JSON.stringify(timeout.slice(0, 40))} is not a number with a unit of HMSmun`,
      );}
  }
  if (encoding !== "identity" && encoding !== "gzip") {
    const text = `grpc-encoding: ${JSON.stringify(encoding.slice(0, 40))} is not known; gzip and identity are`;
    fault = new RpcError("kernel.unimplemented", "unimplemented", text);
  }
  return {
    token: accessToken(header),
    requestId: requestId(header),
    remoteAddress: behindProxy ? forwardedAddress(header("x-forwarded-for")) ?? peer : peer,
    deadline,
    isGzip: encoding === "gzip",
    fault,
  };
}

function malformed(text: string): RpcError {
  return new RpcError("kernel.malformed", "invalid", text);
}

/** Whether a content type is gRPC with protobuf: `application/grpc` or `application/grpc+proto`. */
export function isGrpc(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/grpc(?:\+proto)?(?:;|$)/.test(contentType);
}
