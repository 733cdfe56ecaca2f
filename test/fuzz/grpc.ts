import process from "node:process";
import type { DescMethod } from "@bufbuild/protobuf";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { Health } from "../../core/transports/grpc/health.ts";
import { GrpcService } from "../../core/transports/grpc/service.ts";
import { zlibGzip } from "../../core/host/listen/gzip.ts";
import { Http2Server } from "../../core/net/http2/server.ts";
import { createLogger } from "../../core/base/log.ts";
import { systemClock } from "../../core/base/clock.ts";
import { Random } from "../harness/random.ts";
import { concatBytes, type Fields, frameBytes, Http2Client } from "../harness/http2_client.ts";
import { firstParty } from "../matrix/plugins.ts";
import { standIns } from "../matrix/world.ts";
import { malformedBinary } from "./messages.ts";

/** The outcome of a number of malformed calls. */
export interface GrpcFuzzResult {
  /** The number of calls by gRPC status. `reset` counts reset streams, `closed` closed connections. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The log lines of the server at level error. */
  readonly loggedErrors: readonly string[];
}

const emptyResolver = { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]) };
const CALLS_PER_CONNECTION = 40;
const ODD_FIELDS: readonly (readonly [string, string])[] = [
  ["grpc-timeout", "1S"],
  ["grpc-timeout", "-1S"],
  ["grpc-timeout", "999999999H"],
  ["grpc-timeout", "0n"],
  ["grpc-encoding", "gzip"],
  ["grpc-encoding", "br"],
  ["content-type", "application/grpc+json"],
  ["content-type", "application/grpc;charset=x"],
  ["trace-bin", "=="],
  ["x-request-id", "\xff"],
  ["authorization", "bearer a.b.c"],
  ["x-forwarded-for", ",,"],
  ["te", "trailers"],
];

/** Sends malformed calls of all operations, in process. The same seed sends the same calls. */
export async function fuzzGrpc(seed: number, count: number): Promise<GrpcFuzzResult> {
  const loggedErrors: string[] = [];
  const log = createLogger({ level: "error", write: (line) => loggedErrors.push(line), clock: systemClock });
  const hosts = { ns_domain: emptyResolver };
  await using edgehelm = await testKernel({ plugins: firstParty, stubs: standIns(), hosts, log });
  const tokens = await issueTokens(edgehelm);
  const health = new Health(() => true);
  const service = new GrpcService(edgehelm.kernel, { gzip: zlibGzip, health, behindProxy: false });
  const server = new Http2Server(service, queueMicrotask);
  const methods = edgehelm.kernel.operations.all.map(({ method }) => method);
  const statuses: Record<string, number> = {};
  for (let from = 0; from < count; from += CALLS_PER_CONNECTION) {
    const client = Http2Client.connect(server, [0, 4, 0x3f, 0xff, 0xff, 0xff]);
    client.frame(8, 0, 0, [0x3f, 0, 0, 0]);
    for (let number = from; number < Math.min(count, from + CALLS_PER_CONNECTION); number++) {
      const streamId = 1 + 2 * (number - from);
      const status = await sendCall(client, streamId, methods, tokens, new Random(seed * 1_000_003 + number));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    client.close();
  }
  return { statuses, loggedErrors };
}

async function issueTokens(edgehelm: TestKernel): Promise<(string | undefined)[]> {
  const callers = [as.admin(), as.admin(), as.admin(), as.user(1n), as.node(1n), as.dns(1n)];
  const tokens = await Promise.all(callers.map((caller) => edgehelm.token(caller)));
  return [...tokens, undefined, "nonsense"];
}

async function sendCall(
  client: Http2Client,
  streamId: number,
  methods: readonly DescMethod[],
  tokens: readonly (string | undefined)[],
  random: Random,
): Promise<string> {
  const method = random.oneOf(methods);
  const token = random.oneOf(tokens);
  const fields = new Map<string, string>([
    [":method", "POST"],
    [":scheme", "http"],
    [":path", `/${method.parent.typeName}/${method.name}`],
    ["content-type", "application/grpc"],
    ...(token === undefined ? [] : [["x-cloud-access-token", token] as const]),
    ...(random.below(3) === 0 ? [random.oneOf(ODD_FIELDS)] : []),
  ]);
  client.headers(streamId, [...fields] as Fields);
  sendBody(client, streamId, body(method, random));
  const last = await client.until((frame) =>
    frame.streamId === streamId && (frame.type === 3 || (frame.flags & 1) !== 0 && frame.type !== 8)
  ).catch(() => undefined);
  const own = client.frames.filter((frame) => frame.streamId === streamId && frame.type === 1);
  const values = own.flatMap(({ payload }) => client.decoder.decode(payload, 0, payload.length).fields);
  client.frames.length = 0;
  const status = values.find(({ name }) => name === "grpc-status")?.value;
  if (status !== undefined) return `status ${status}`;
  const http = values.find(({ name }) => name === ":status")?.value;
  return http !== undefined ? `http ${http}` : last === undefined ? "closed" : "reset";
}

/** Returns the body of a call: usually a malformed message, sometimes malformed framing. */
function body(method: DescMethod, random: Random): Uint8Array {
  const message = malformedBinary(method.input, random);
  const framed = (bytes: Uint8Array, flag = 0, length = bytes.length) =>
    concatBytes([Uint8Array.of(flag, length >>> 24, length >>> 16, length >>> 8, length), bytes]);
  switch (random.below(12)) {
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
    default:
      return framed(message);
  }
}

function sendBody(client: Http2Client, streamId: number, bytes: Uint8Array): void {
  for (let at = 0; at <= bytes.length; at += 16_384) {
    const part = bytes.subarray(at, at + 16_384);
    client.send(frameBytes(0, at + 16_384 > bytes.length ? 1 : 0, streamId, part));
  }
}

if (import.meta.main) {
  const [seed = "1", count = "100000"] = process.argv.slice(2);
  console.log(JSON.stringify(await fuzzGrpc(Number(seed), Number(count)), null, 2));
  process.exit(0);
}
