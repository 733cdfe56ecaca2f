import { gzipSync } from "node:zlib";
import { concatBytes, type Fields } from "../../harness/http2_client.ts";
import type { Random } from "../../harness/random.ts";
import type { TargetOperation } from "../target/installation.ts";
import { strangeBinary } from "./malformed.ts";

/** A gRPC call: its header fields and its body, with the prefix of the message. */
export interface GrpcRequest {
  readonly fields: Fields;
  readonly body: Uint8Array<ArrayBuffer>;
}

const ODD_FIELDS: readonly (readonly [string, string])[] = [
  ["grpc-timeout", "1S"],
  ["grpc-timeout", "-1S"],
  ["grpc-timeout", "999999999H"],
  ["grpc-timeout", "0n"],
  ["grpc-encoding", "gzip"],
  ["grpc-encoding", "br"],
  ["grpc-accept-encoding", "gzip"],
  ["content-type", "application/grpc+json"],
  ["content-type", "application/grpc;charset=x"],
  ["trace-bin", "=="],
  ["x-request-id", "\xff"],
  ["authorization", "bearer a.b.c"],
  ["x-forwarded-for", ",,"],
  ["te", "trailers"],
];

/** Creates a call of an operation. The same state of `random` creates the same call. */
export function grpcRequest(operation: TargetOperation, token: string | undefined, random: Random): GrpcRequest {
  const fields = new Map<string, string>([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", operation.rpcPath],
    ["content-type", "application/grpc"],
    ...(token === undefined ? [] : [["x-cloud-access-token", token] as const]),
    ...(random.below(8) === 0 ? [random.oneOf(ODD_FIELDS)] : []),
  ]);
  // The body may need other header fields.
  const bytes = body(strangeBinary(operation, random), fields, random);
  return { fields: [...fields], body: bytes };
}

/** Frames a message, now and then wrongly. */
function body(
  message: Uint8Array<ArrayBuffer>,
  fields: Map<string, string>,
  random: Random,
): Uint8Array<ArrayBuffer> {
  switch (random.below(40)) {
    case 0:
      return framed(message, random.below(256));
    case 1:
      return framed(message, 0, message.length + 1 + random.below(5_000_000));
    case 2:
      return concatBytes([framed(message), framed(message)]);
    case 3:
      return new Uint8Array(random.below(6));
    case 4:
      return framed(message, 1);
    case 5:
      fields.set("grpc-encoding", "gzip");
      return framed(message, 1);
    case 6:
    case 7:
      fields.set("grpc-encoding", "gzip");
      return framed(new Uint8Array(gzipSync(message)), 1);
    default:
      return framed(message);
  }
}

function framed(bytes: Uint8Array, flag = 0, length = bytes.length): Uint8Array<ArrayBuffer> {
  return concatBytes([Uint8Array.of(flag, length >>> 24, length >>> 16, length >>> 8, length), bytes]);
}
