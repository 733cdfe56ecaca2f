import { Buffer } from "node:buffer";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { testKernel } from "edgehelm/testing";
import { DEFAULT_LIMITS } from "../../../core/base/limits.ts";
import { systemClock } from "../../../core/base/clock.ts";
import { createLogger } from "../../../core/base/log.ts";
import { listenGrpc } from "../../../core/host/listen/grpc_listener.ts";
import { zlibCodings } from "../../../core/host/listen/message_codings.ts";
import { listenHttp1 } from "../../../core/host/listen/http1_listener.ts";
import { Health } from "../../../core/transports/grpc/health.ts";
import { GrpcService } from "../../../core/transports/grpc/service.ts";
import { createHttpService } from "../../../core/transports/http/app.ts";
import { HTTP_OPTIONS } from "../../harness/wire.ts";
import { CALL_MILLISECONDS } from "./exchange.ts";
import plugin from "./plugin.ts";
import {
  HTTPVersion,
  type ServerCompatRequest,
  ServerCompatRequestSchema,
  ServerCompatResponseSchema,
} from "./proto/conformance_pb.ts";

// The server that the runner of the suite starts: the listeners of the host, on a kernel in this process.

const request = fromBinary(ServerCompatRequestSchema, await readMessage());
const directory = await mkdtemp(join(tmpdir(), "edgehelm-conformance-"));
const maxBytes = request.messageReceiveLimit || 4 * 1024 * 1024;
const edgehelm = await testKernel({
  plugins: [plugin],
  clock: systemClock,
  callMilliseconds: CALL_MILLISECONDS,
  limits: { grpcMessageBytes: maxBytes, anonymousBodyBytes: Math.min(DEFAULT_LIMITS.httpBodyBytes, 64 * maxBytes) },
});
const { kernel } = edgehelm;
const log = createLogger({ level: "error", write: (line) => console.error(line), clock: systemClock });
const tls = await tlsFiles(request);
const settings = { host: "127.0.0.1", port: 0, tls, behindProxy: false };
const listener = request.httpVersion === HTTPVersion.HTTP_VERSION_2
  ? await listenGrpc(
    new GrpcService(kernel, { codings: zlibCodings, health: new Health(() => true), behindProxy: false }),
    settings,
    settings,
    kernel.limits,
    log,
  )
  : await listenHttp1(
    createHttpService(kernel, { ...HTTP_OPTIONS, notReady: () => Promise.resolve(undefined) }),
    settings,
    kernel.limits,
    log,
  );
writeMessage(toBinary(
  ServerCompatResponseSchema,
  create(ServerCompatResponseSchema, {
    host: "127.0.0.1",
    port: Number(new URL(listener.url).port),
    ...request.serverCreds && { pemCert: request.serverCreds.cert },
  }),
));
process.on("SIGTERM", async () => {
  await listener.close(0);
  await edgehelm[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
});

async function tlsFiles({ useTls, serverCreds }: ServerCompatRequest) {
  if (!useTls || serverCreds === undefined) return undefined;
  const [certFile, keyFile] = [join(directory, "cert.pem"), join(directory, "key.pem")];
  await writeFile(certFile, serverCreds.cert);
  await writeFile(keyFile, serverCreds.key, { mode: 0o600 });
  return { certFile, keyFile };
}

/** Reads one message with its length. */
async function readMessage(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    size += chunk.length;
    const bytes = Buffer.concat(chunks);
    if (size >= 4 && size >= 4 + bytes.readUInt32BE(0)) return bytes.subarray(4, 4 + bytes.readUInt32BE(0));
  }
  throw new Error("standard input ended before the message");
}

function writeMessage(bytes: Uint8Array): void {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length);
  process.stdout.write(length);
  process.stdout.write(bytes);
}
