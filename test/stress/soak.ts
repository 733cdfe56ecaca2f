import { readFileSync } from "node:fs";
import process from "node:process";
import { startEchoServer } from "../host/grpc/echo_server.ts";
import { output } from "../clients/mod.ts";
import { GrpcConnection } from "./grpc_connection.ts";
import { churn, LEAVINGS } from "./churn.ts";

// Mixed load: `deno run -A test/stress/soak.ts [minutes]`. Prints the memory of the server every minute and, at the
// end, its growth in the second half in megabytes per minute.
const minutes = Number(process.argv[2] ?? 60);
const echo = await startEchoServer();
const deadline = Date.now() + minutes * 60_000;
const port = Number(echo.address.split(":")[1]);
const samples: [minute: number, megabytes: number][] = [];
let calls = 0;

function residentMegabytes(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${echo.server.pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Repeats an action with a pause until the deadline. */
async function repeat(pauseMilliseconds: number, action: () => Promise<unknown>): Promise<void> {
  while (Date.now() < deadline) {
    await action();
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
}

/** Makes up to five concurrent calls over one connection. */
async function unaryCalls(): Promise<void> {
  let pending = 0;
  const path = "/edgehelm.test.echo.EchoService/echo";
  const connection = await GrpcConnection.open(port, path, echo.token, Uint8Array.of(0x20, 7), () => pending--);
  await repeat(20, async () => {
    for (; pending < 5; pending++, calls++) connection.call(1);
  });
  connection.close();
}

async function json(): Promise<void> {
  const headers = { "x-cloud-access-token": echo.token, "content-type": "application/json" };
  const response = await fetch(`${echo.server.url}/EchoService/echo`, {
    method: "POST",
    headers,
    body: '{"number": 7}',
  });
  await response.text();
  calls++;
}

async function sample(): Promise<void> {
  const minute = minutes - (deadline - Date.now()) / 60_000;
  samples.push([minute, residentMegabytes()]);
  console.log(`${minute.toFixed(1)} min  ${samples.at(-1)![1].toFixed(1)} MB  ${calls} calls`);
}

await Promise.all([
  ...Array.from({ length: 4 }, unaryCalls),
  repeat(10, json),
  repeat(1000, async () => {
    for (const leaving of LEAVINGS) calls += await churn(echo.address, echo.token, 20, leaving, 4);
  }),
  // Streams, deadlines, cancelled and compressed calls, messages of 16 MiB.
  repeat(20_000, () => output("node", ["test/clients/grpc_js.mjs", echo.address, echo.token, "", process.cwd()])),
  repeat(60_000, sample),
]);
console.log(
  `slope of the second half: ${slope(samples.slice(samples.length >> 1)).toFixed(3)} MB per minute, ${calls} calls`,
);
await echo.stop();
process.exit(0);

function slope(points: readonly [number, number][]): number {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
