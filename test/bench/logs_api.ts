import { readFile } from "node:fs/promises";
import { type ClientHttp2Session, connect } from "node:http2";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { messagePrefix } from "../../core/transports/grpc/message_reader.ts";
import type { LogEntry } from "../../plugins/http_access_log/log_store.ts";
import { concatBytes } from "../harness/http2_client.ts";
import { addressOf, randomBatches } from "../plugins/http_access_log/rows.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { rounded } from "./statistics.ts";

const MANIFEST = new URL("../../plugins/manifest.json", import.meta.url);
const BATCH = 1000;
/** Calls that are under way at the same time. */
const AT_ONCE = 4;
const MOST_ROWS = 1_000_000;
const LIST = "/HTTPAccessLogService/listHTTPAccessLogs";
const DAY = "20250310";
const LISTS = 300;

/**
 * Access logs through the API of a server of its own: logs in over gRPC in batches of 1000, then pages over HTTP, with
 * filters that find much and little.
 *
 * @param store which store; the installation's own choice unless told
 */
export async function benchLogsApi(rounds: number, rows: number, store = ""): Promise<Record<string, number>> {
  const ours = await startInstallation({ manifest: await manifestWith(store) });
  try {
    const count = Math.min(rows, MOST_ROWS);
    const requests = requestsOf(count);
    const bytes = requests.reduce((sum, { length }) => sum + length, 0);
    const cpuBefore = ours.server.cpuMicroseconds();
    const started = performance.now();
    await sendAll(ours, requests);
    const seconds = (performance.now() - started) / 1000;
    const cpuSeconds = (ours.server.cpuMicroseconds() - cpuBefore) / 1e6;
    const small = await lists(ours, 20, LISTS * rounds);
    const large = await lists(ours, 1000, Math.ceil(LISTS / 10) * rounds);
    return {
      api_rows: count,
      api_row_bytes: rounded(bytes / count, 0),
      api_ingest_rows_per_s: rounded(count / seconds, 0),
      api_ingest_rows_per_cpu_s: rounded(count / cpuSeconds, 0),
      api_list_20_p50_ms: part(small.times, 0.5),
      api_list_20_p99_ms: part(small.times, 0.99),
      api_list_20_cpu_ms: rounded(small.cpuMilliseconds),
      api_list_1000_p50_ms: part(large.times, 0.5),
      api_list_1000_p99_ms: part(large.times, 0.99),
      api_list_1000_cpu_ms: rounded(large.cpuMilliseconds),
      api_rss_mb: rounded(ours.server.residentMegabytes(), 0),
    };
  } finally {
    await ours.remove();
  }
}

/** The default installation, which keeps logs of a day long ago. */
async function manifestWith(store: string): Promise<unknown> {
  const manifest: { plugins: { use: string; config?: object }[] } = JSON.parse(await readFile(MANIFEST, "utf8"));
  const config = { store, retentionDays: 36_500, minFreeBytes: "0" };
  const plugins = manifest.plugins.map((plugin) => plugin.use === "http_access_log" ? { ...plugin, config } : plugin);
  return { ...manifest, plugins, log: { level: "warn" }, http: { port: 0 }, grpc: { port: 0 } };
}

function requestsOf(count: number): Uint8Array[] {
  const requests: Uint8Array[] = [];
  let batch: LogEntry[] = [];
  for (const entries of randomBatches(count, 11)) {
    for (const entry of entries) {
      batch.push(entry);
      if (batch.length < BATCH) continue;
      requests.push(requestOf(batch));
      batch = [];
    }
  }
  if (batch.length > 0) requests.push(requestOf(batch));
  return requests;
}

function requestOf(entries: readonly LogEntry[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { log } of entries) writer.tag(1, 2).bytes(log);
  return writer.finish();
}

async function sendAll({ server, headers }: Installation, requests: readonly Uint8Array[]): Promise<void> {
  const session = connect(`http://127.0.0.1:${server.ports[1]}`);
  try {
    let next = 0;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (next < requests.length) await send(session, headers, requests[next++]!);
    }));
  } finally {
    session.close();
  }
}

/** One gRPC call. */
function send(
  session: ClientHttp2Session,
  headers: Readonly<Record<string, string>>,
  message: Uint8Array,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/pb.HTTPAccessLogService/createHTTPAccessLogs",
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let status = "";
    const note = (fields: Record<string, unknown>) => status = String(fields["grpc-status"] ?? status);
    stream.on("response", note);
    stream.on("trailers", note);
    stream.on("data", () => {});
    stream.on("error", reject);
    stream.on("close", () => status === "0" ? resolve() : reject(new Error(`a batch ended with status ${status}`)));
    stream.end(concatBytes([messagePrefix(false, message.length), message]));
  });
}

/** What lists ask for, in turn. */
const FILTERS: readonly object[] = [
  {},
  { serverId: 1 },
  { serverId: 150 },
  { hasError: true },
  { ip: addressOf(700) },
  { domain: "shop3.test" },
  { hasFirewallPolicy: true },
  { nodeId: 3 },
  { userId: 7, hasError: true },
];

/** How long so many lists took, ascending, and what one costs the server; each begins somewhere else in the day. */
async function lists(ours: Installation, size: number, count: number) {
  const times: number[] = [];
  const cpuBefore = ours.server.cpuMicroseconds();
  for (let index = 0; index < count; index++) {
    const requestId = index % 3 === 0 ? "" : `${1741564800_000 + (index * 7919 % 86_400) * 1000}`;
    const filter = FILTERS[index % FILTERS.length];
    const started = performance.now();
    await ours.call(LIST, { day: DAY, size, requestId, ...filter });
    times.push(performance.now() - started);
  }
  const cpuMilliseconds = (ours.server.cpuMicroseconds() - cpuBefore) / 1000 / count;
  return { times: times.sort((one, other) => one - other), cpuMilliseconds };
}

function part(ascending: readonly number[], share: number): number {
  return rounded(ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]!);
}
