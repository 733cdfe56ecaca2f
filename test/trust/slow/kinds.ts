import { encodeHeaderBlock } from "../../../core/net/hpack/encoder.ts";
import { clientPreface, concatBytes, frameBytes, grpcRequest } from "../../harness/http2_client.ts";
import { head } from "../../host/raw_client.ts";

/** A way to be slow. */
export interface SlowKind {
  readonly wire: "http" | "grpc";
  /** The bytes that are sent at once. */
  readonly first: Uint8Array;
  /** The bytes that are sent one by one; empty if nothing else is sent. */
  readonly rest: Uint8Array;
  /** True if the client reads nothing. */
  readonly isDeaf?: true;
  /** True if the server ends the stream, and not the connection. */
  readonly endsStream?: true;
}

const PATH = "/HelloWorldService/sayHello";
const GRPC_PATH = "/pb.HelloWorldService/SayHello";
/** More than the sockets of both sides hold. */
const LONG_RESPONSES = 160;
const NAME = "x".repeat(100_000);
const NO_WINDOW = [0, 4, 0, 0, 0, 0];

/** All kinds of slow clients, whose calls would be valid. */
export function slowKinds(token: string): Readonly<Record<string, SlowKind>> {
  const text = new TextEncoder();
  const none = new Uint8Array();
  const headers = { "x-cloud-access-token": token };
  const body = JSON.stringify({ name: NAME });
  const whole = head(PATH, { ...headers, "content-length": body.length }) + body;
  const block = encodeHeaderBlock(grpcRequest(GRPC_PATH, token));
  const open = (settings: readonly number[] = []) => [clientPreface(settings), frameBytes(1, 4, 1, block)];
  const message = [0, 0, 0, 4, 0];
  // Each byte of the message is a frame of its own, whose last byte comes late.
  const slowMessage = concatBytes(message.map((byte) => frameBytes(0, 0, 1, [byte])));
  return {
    "silent over HTTP": { wire: "http", first: none, rest: none },
    "slow headers over HTTP": {
      wire: "http",
      first: text.encode(`POST ${PATH} HTTP/1.1\r\nhost: edgehelm.test\r\nx-slow: `),
      rest: text.encode("x".repeat(5000)),
    },
    "slow body over HTTP": {
      wire: "http",
      first: text.encode(head(PATH, { ...headers, "content-length": 5000 })),
      rest: text.encode(" ".repeat(5000)),
    },
    "reads nothing over HTTP": {
      wire: "http",
      first: text.encode(whole.repeat(LONG_RESPONSES)),
      rest: none,
      isDeaf: true,
    },
    "silent over gRPC": { wire: "grpc", first: none, rest: none },
    "slow preface over gRPC": {
      wire: "grpc",
      first: clientPreface().subarray(0, 5),
      rest: clientPreface().subarray(5, -8),
    },
    "slow headers over gRPC": {
      wire: "grpc",
      first: concatBytes([clientPreface(), frameBytes(1, 0, 1, block)]),
      // Continuations that never end the block.
      rest: concatBytes(Array.from({ length: 500 }, () => frameBytes(9, 0, 1, [0x40, 1, 0x61, 1, 0x62]))),
    },
    "slow message over gRPC": {
      wire: "grpc",
      first: concatBytes(open()),
      rest: concatBytes([slowMessage, ...Array.from({ length: 1000 }, () => frameBytes(0, 0, 1, [10]))]),
      endsStream: true,
    },
    "stream without a message": { wire: "grpc", first: concatBytes(open()), rest: none, endsStream: true },
    "takes no response over gRPC": {
      wire: "grpc",
      first: concatBytes([...open(NO_WINDOW), frameBytes(0, 1, 1, [0, 0, 0, 0, 0])]),
      rest: none,
      endsStream: true,
    },
  };
}
