import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GrpcConnection, latencyAt } from "./grpc_load.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { DENO, node24, type Runtime, ServerProcess } from "./server_process.ts";
import { median, rounded } from "./statistics.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PEERS = fileURLToPath(new URL("./peers/", import.meta.url));
const CALLS = 40_000;
const SLOW_CALLS = 8_000;
const STREAMED = 100_000;
const JSON_PATH = "/HelloWorldService/sayHello";
const GRPC_PATH = "/pb.HelloWorldService/SayHello";
/** `{id: 7, name: "Ada"}`, and `{count: STREAMED, size: 100}`. */
const HELLO = Uint8Array.of(8, 7, 18, 3, 65, 100, 97);
const EXPAND = Uint8Array.of(8, STREAMED & 127 | 128, STREAMED >> 7 & 127 | 128, STREAMED >> 14, 16, 100);

/** What one unary call costs a server, in microseconds of its CPU time. */
type Costs = Record<string, number[]>;

/** gRPC through the default kernel, against servers that do the echo alone, with h2load as the client of all. */
export async function benchTransport(rounds: number): Promise<Record<string, number>> {
  const node = node24();
  const [onDeno, onNode] = [await installation(DENO), await installation(node)];
  const grpcJs = await ServerProcess.start(join(PEERS, "grpc_js_server.mjs"), [ROOT], {}, 1, node);
  const connectNode = await ServerProcess.start(join(PEERS, "connect_node_server.ts"), [], {}, 1, node);
  const bodies = await bodyFiles(onDeno.directory);
  const costs: Costs = {};
  try {
    let saturation = 0;
    for (let round = -1; round < rounds; round++) {
      const measured = {
        denoGrpc: await cost(onDeno.server, onDeno.server.ports[1]!, GRPC_PATH, bodies.grpc, onDeno, CALLS),
        denoJson: await cost(onDeno.server, onDeno.server.ports[0]!, JSON_PATH, bodies.json, onDeno, CALLS),
        nodeGrpc: await cost(onNode.server, onNode.server.ports[1]!, GRPC_PATH, bodies.grpc, onNode, CALLS),
        grpcJs: await cost(grpcJs, grpcJs.ports[0]!, GRPC_PATH, bodies.grpc, onNode, CALLS),
        connectNode: await cost(connectNode, connectNode.ports[0]!, GRPC_PATH, bodies.grpc, onNode, SLOW_CALLS),
      };
      const streamed = await streamCost(onDeno);
      // The first round warms up.
      if (round < 0) continue;
      saturation = Math.max(saturation, measured.denoGrpc.perSecond);
      for (const [name, { cpu }] of Object.entries(measured)) (costs[name] ??= []).push(cpu);
      (costs["streamed"] ??= []).push(streamed);
    }
    const [, port] = onDeno.server.ports;
    const token = onDeno.headers["x-cloud-access-token"]!;
    const p99 = await latencyAt(
      saturation / 2,
      3,
      (ended) => GrpcConnection.open(port!, GRPC_PATH, token, HELLO, ended),
    );
    const figure = (name: string) => median(costs[name]!);
    return {
      grpc_unary_vs_grpcjs: rounded(figure("grpcJs") / figure("nodeGrpc")),
      grpc_unary_vs_connect_node: rounded(figure("connectNode") / figure("nodeGrpc")),
      grpc_vs_json: rounded(figure("denoGrpc") / figure("denoJson")),
      grpc_unary_vs_grpcjs_on_deno: rounded(figure("grpcJs") / figure("denoGrpc")),
      grpc_unary_vs_connect_node_on_deno: rounded(figure("connectNode") / figure("denoGrpc")),
      grpc_p99_ms: rounded(p99),
      grpc_p99_calls_per_s: rounded(saturation / 2, 0),
      grpc_deno_cpu_us: rounded(figure("denoGrpc")),
      grpc_node_cpu_us: rounded(figure("nodeGrpc")),
      json_deno_cpu_us: rounded(figure("denoJson")),
      grpcjs_cpu_us: rounded(figure("grpcJs")),
      connect_node_cpu_us: rounded(figure("connectNode")),
      stream_message_cpu_us: rounded(figure("streamed")),
      rounds,
    };
  } finally {
    await Promise.all([grpcJs.stop(), connectNode.stop(), onDeno.remove(), onNode.remove()]);
  }
}

/** The default installation, with EchoService beside it for its streams. */
async function installation(runtime: Runtime): Promise<Installation> {
  const manifest = JSON.parse(await readFile(join(ROOT, "plugins/manifest.json"), "utf8"));
  manifest.plugins.push({ use: join(ROOT, "test/fixtures/echo") });
  return await startInstallation({ runtime, manifest });
}

async function bodyFiles(directory: string): Promise<{ grpc: string; json: string }> {
  const [grpc, json] = [join(directory, "hello.grpc"), join(directory, "hello.json")];
  await writeFile(grpc, Uint8Array.of(0, 0, 0, 0, HELLO.length, ...HELLO));
  await writeFile(json, '{"id":"7","name":"Ada"}');
  return { grpc, json };
}

async function cost(
  server: ServerProcess,
  port: number,
  path: string,
  body: string,
  { headers }: Installation,
  calls: number,
): Promise<{ cpu: number; perSecond: number }> {
  const isGrpc = path === GRPC_PATH;
  // 128 calls in flight over HTTP/2; HTTP/1.1 has one for each connection.
  const flight = isGrpc ? ["-c8", "-m16"] : ["--h1", "-c32"];
  const type = isGrpc ? "application/grpc" : "application/json";
  const token = `x-cloud-access-token: ${headers["x-cloud-access-token"]}`;
  const before = server.cpuMicroseconds();
  const words = [
    ...flight,
    "-t1",
    `-n${calls}`,
    "-d",
    body,
    "-H",
    `content-type: ${type}`,
    "-H",
    "te: trailers",
    "-H",
    token,
  ];
  // Not the synchronous one: what the servers log must be read meanwhile.
  const { stdout: output } = await run("h2load", [...words, `http://127.0.0.1:${port}${path}`]);
  const cpu = (server.cpuMicroseconds() - before) / calls;
  if (!output.includes(`${calls} succeeded, 0 failed, 0 errored`)) throw new Error(`h2load on ${path}: ${output}`);
  return { cpu, perSecond: Number(/, ([\d.]+) req\/s/.exec(output)?.[1]) };
}

/** One server stream of many messages of 100 bytes: CPU for each. */
async function streamCost({ server, headers }: Installation): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const token = headers["x-cloud-access-token"]!;
  const path = "/edgehelm.test.echo.EchoService/expand";
  const connection = await GrpcConnection.open(server.ports[1]!, path, token, EXPAND, () => resolve());
  const before = server.cpuMicroseconds();
  connection.call(1);
  await promise;
  connection.close();
  return (server.cpuMicroseconds() - before) / STREAMED;
}
