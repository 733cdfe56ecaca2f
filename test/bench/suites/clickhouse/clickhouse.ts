import process from "node:process";
import { create, toBinary } from "@bufbuild/protobuf";
import { createLogger } from "../../../../core/base/log.ts";
import type { Call } from "../../../../core/mod.ts";
import { systemClock } from "../../../../core/base/clock.ts";
import { openClickHouse } from "../../../../plugins/access_log_clickhouse/host/store.ts";
import type { LogEntry, LogFilter, LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { everyLog } from "../../../../plugins/http_access_log/query/filter.ts";
import { HTTPAccessLogSchema } from "../../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { clickHouseRuns, ClickHouseServer } from "../../../servers/clickhouse.ts";
import { latencyMeasurement } from "../../measurement/latency.ts";
import type { Measurement, Suite } from "../../suite.ts";

const DAY = 20260310n;
const START = Date.UTC(2026, 2, 10);
const DAY_MILLISECONDS = 86_400_000;
const BATCH = 1000;
/** Rows that are made before they are measured going in. */
const CHUNK = 50_000;
const ROWS = 500_000;
const CALLS = 10;
const PATHS = ["/", "/index.html", "/img/logo.png", "/api/v1/orders", "/wp-login.php", "/video/part"];

/** Access logs on a ClickHouse server of this machine: what a store takes in and how long its pages take. */
export const clickhouse: Suite = {
  async open({ rows = ROWS, progress }) {
    if (!clickHouseRuns()) throw new Error("clickhouse-server not found: apt-get install clickhouse-server");
    const stack = new AsyncDisposableStack();
    const server = stack.use(await ClickHouseServer.start());
    const log = createLogger({ level: "warn", write: console.error, clock: systemClock });
    const { store, close } = openClickHouse(server.address, { clock: systemClock, log, partitionRows: 500_000n });
    stack.defer(close);
    progress.note(`sending ${rows} access logs`);
    for (let from = 0; from < rows; from += CHUNK) await appendAll(store, batchesFrom(from, rows));
    return {
      measurements: [...pages(store, rows), intake(server, store, rows)],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};

/** Of the server and of this process. */
function cpuSeconds(server: ClickHouseServer): number {
  const { user, system } = process.cpuUsage();
  return server.cpuSeconds + (user + system) / 1e6;
}

function newCall(): Call {
  return { deadline: Date.now() + 30_000 } as Call;
}

function batchesFrom(from: number, rows: number): LogEntry[][] {
  return Array.from(
    { length: CHUNK / BATCH },
    (_, batch) => Array.from({ length: BATCH }, (_, at) => entryOf(from + batch * BATCH + at, rows)),
  );
}

async function appendAll(store: LogStore, batches: readonly LogEntry[][]): Promise<void> {
  await Promise.all(batches.map((batch) => store.append(newCall(), batch)));
}

/** Each time the next rows of the day. */
function intake(server: ClickHouseServer, store: LogStore, rows: number): Measurement {
  let from = rows;
  return {
    figures: [
      { name: "intake_rows", unit: "per s" },
      { name: "intake", unit: "per CPU s" },
      { name: "row_bytes", unit: "bytes" },
    ],
    async measure() {
      const batches = batchesFrom(from, rows);
      from += CHUNK;
      const [started, cpu] = [performance.now(), cpuSeconds(server)];
      await appendAll(store, batches);
      const seconds = (performance.now() - started) / 1000;
      const [day] = await store.days(newCall());
      return [CHUNK / seconds, CHUNK / (cpuSeconds(server) - cpu), Number(day!.bytes) / Number(day!.rows)];
    },
  };
}

function pages(store: LogStore, rows: number): Measurement[] {
  const list = (filter: Partial<LogFilter>, at = 0) => async () => {
    const page = { cursor: at === 0 ? "" : requestIdOf(at, rows), oldestFirst: false, size: 20, withBodies: true };
    await store.list(newCall(), { ...everyLog(DAY), ...filter }, page);
  };
  const key = (number: number) => `00000000000000000000ffff${number.toString(16).padStart(8, "0")}`;
  const rare = { from: key(0x0a000000 + 77_777), to: key(0x0a000000 + 77_777) };
  const asks: Record<string, () => Promise<unknown>> = {
    newest: list({}),
    deep_page: list({}, Math.floor(rows / 3)),
    has_error: list({ hasError: true }),
    server: list({ serverId: 7n }),
    domain: list({ host: "www.site-7.test" }),
    firewall: list({ firewallPolicyId: 3n }),
    ip_rare: list({ ip: rare }),
    keyword_common: list({ keyword: { kind: "anywhere", text: "wp-login" } }),
    keyword_none_day: list({ keyword: { kind: "anywhere", text: "nothing-has-this" } }),
    find_one: () => store.find(newCall(), requestIdOf(Math.floor(rows / 2), rows)),
    partitions: () => store.partitions(newCall(), DAY),
  };
  return Object.entries(asks).map(([name, ask]) => latencyMeasurement(name, CALLS, ask));
}

function requestIdOf(index: number, rows: number): string {
  return `${START + Math.floor(index * DAY_MILLISECONDS / rows)}${index % 12 + 1}${1_000_001 + index % 8_999_999}`;
}

function entryOf(index: number, rows: number): LogEntry {
  const mixed = (index * 2_654_435_761) % 4_294_967_296;
  const site = mixed % 300 < 150 ? mixed % 10 : mixed % 300;
  const requestPath = PATHS[mixed % PATHS.length]!;
  const requestId = requestIdOf(index, rows);
  const log = toBinary(
    HTTPAccessLogSchema,
    create(HTTPAccessLogSchema, {
      requestId,
      serverId: BigInt(site),
      nodeId: BigInt(index % 12 + 1),
      remoteAddr: `10.${mixed >> 14 & 15}.${mixed >> 8 & 255}.${mixed & 255}`,
      requestPath,
      requestURI: `${requestPath}?id=${mixed % 100_000}&session=${mixed.toString(36)}`,
      requestMethod: mixed % 10 === 0 ? "POST" : "GET",
      scheme: "https",
      proto: "HTTP/2.0",
      status: mixed % 25 === 0 ? 502 : 200,
      host: `www.site-${site}.test`,
      referer: "https://search.test/?q=something",
      userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36",
      bytesSent: BigInt(mixed % 1_000_000),
      requestTime: mixed % 1000 / 1000,
      header: { Accept: { values: ["text/html,application/xhtml+xml"] }, "Accept-Language": { values: ["de"] } },
      firewallPolicyId: mixed % 33 === 0 ? BigInt(mixed % 7 + 1) : 0n,
    }),
  );
  return { requestId, userId: BigInt(site % 40), nodeClusterId: 1n, log, requestBody: new Uint8Array() };
}
