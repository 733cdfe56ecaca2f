import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../core/log.ts";
import { PrometheusMetrics } from "../../core/host/metrics.ts";
import type { LogEntry, LogPage, StoredDay } from "../../plugins/http_access_log/log_store.ts";
import { HTTPAccessLogService } from "../../plugins/http_access_log/service_http_access_log_pb.ts";
import { UserService } from "../../plugins/user/service_user_pb.ts";
import { logHost, logKernel, type LogKernelOptions, storeOf } from "./http_access_log_rig.ts";

const { createHTTPAccessLogs, findHTTPAccessLog, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000_000;
const DAY = "20250310";
const admin = as.admin();

async function open(options: Partial<LogKernelOptions> = {}): Promise<TestKernel> {
  const edgehelm = await logKernel({ clock: new TestClock(NOON), ...options });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return edgehelm;
}

/** A store of days that only knows how large they are, and what was dropped. */
function daysStore(days: StoredDay[]) {
  const dropped: bigint[] = [];
  let pieces = 0;
  const store = storeOf({
    days: async () => [...days],
    dropDay: async (_call, day) => {
      if (pieces++ % 3 !== 2) return false;
      dropped.push(day);
      days.splice(days.findIndex((one) => one.day === day), 1);
      return true;
    },
  });
  return { store, dropped };
}

const dayOf = (day: number, bytes = 100n): StoredDay => ({ day: BigInt(day), rows: 10n, bytes });

describe("keeping", () => {
  test("days go by age, each to its end", async () => {
    const days = [20250201, 20250302, 20250303, 20250304, 20250310, 20250311].map((day) => dayOf(day));
    const { store, dropped } = daysStore(days);
    const metrics = new PrometheusMetrics();
    const edgehelm = await open({ host: logHost(store), config: { retentionDays: 7 }, metrics });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250201n, 20250302n]);
    const text = await metrics.text();
    expect(text).toContain('\nedgehelm_http_access_log_dropped_days_total{reason="age"} 2\n');
    expect(text).toContain("\nedgehelm_http_access_log_stored_days 4\n");
    expect(text).toContain("\nedgehelm_http_access_log_stored_bytes 400\n");
    expect(text).toContain("\nedgehelm_http_access_log_stored_rows 40\n");
  });

  test("the oldest go while there are too many bytes, and the newest stays", async () => {
    const days = [dayOf(20250305, 50n), dayOf(20250306, 20n), dayOf(20250307, 40n), dayOf(20250310, 500n)];
    const { store, dropped } = daysStore(days);
    const lines: string[] = [];
    const clock = new TestClock(NOON);
    const log = createLogger({ level: "info", write: (line) => void lines.push(line), clock });
    const edgehelm = await open({ clock, host: logHost(store), config: { maxBytes: "570" }, log });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250305n]);
    days[days.length - 1] = dayOf(20250310, 5000n);
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250305n, 20250306n, 20250307n]);
    expect(lines.filter((line) => line.includes("before its time"))).toHaveLength(3);
    expect(lines.filter((line) => line.includes("no older day left"))).toHaveLength(1);
  });

  test("the oldest go before the disk is full", async () => {
    const { store, dropped } = daysStore([dayOf(20250307), dayOf(20250308), dayOf(20250309), dayOf(20250310)]);
    const metrics = new PrometheusMetrics();
    const space = () => Promise.resolve({ freeBytes: BigInt(5 + dropped.length * 10), totalBytes: 1000n });
    const edgehelm = await open({ host: logHost(store, { space }), config: { minFreeBytes: "20" }, metrics });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250307n, 20250308n]);
    expect(await metrics.text()).toContain(
      '\nedgehelm_http_access_log_dropped_days_total{reason="disk_space"} 2\n',
    );
  });

  test("a deleted user's logs go, after the transaction that deletes the user", async () => {
    const clock = new TestClock(NOON);
    const edgehelm = await open({ clock });
    for (const username of ["ann", "bob"]) {
      await edgehelm.call(admin, UserService.method.createUser, { username, password: "a Long one 7" });
    }
    const httpAccessLogs = [1n, 2n].map((serverId) => ({ requestId: `${NOON}${serverId}`, serverId }));
    await edgehelm.call(admin, createHTTPAccessLogs, { httpAccessLogs });
    await edgehelm.call(admin, UserService.method.deleteUser, { userId: 1n });
    await edgehelm.kernel.runJob("user.remove_deleted");
    await edgehelm.kernel.runJob("http_access_log.remove_of_users");
    const found = await edgehelm.call(admin, listHTTPAccessLogs, { day: DAY });
    expect(found.httpAccessLogs.map(({ serverId }) => serverId)).toEqual([2n]);
  });
});

describe("a search that is stopped", () => {
  const entry = (requestId: string): LogEntry => ({
    ...{ requestId, userId: 0n, nodeClusterId: 0n, log: new Uint8Array(), requestBody: new Uint8Array() },
  });

  test.each([false, true])("goes on from where it stopped, in reverse: %s", async (reverse) => {
    const asked: LogPage[] = [];
    const answers = [
      { entries: [], stoppedAt: `${NOON}500` },
      { entries: [entry(`${NOON}499`)], stoppedAt: `${NOON}400` },
      { entries: [entry(`${NOON}350`), entry(`${NOON}340`), entry(`${NOON}330`)] },
      { entries: [entry(`${NOON}330`)] },
    ];
    const store = storeOf({
      partitions: async () => [],
      list: async (_call, _filter, page) => answers[asked.push(page) - 1]!,
    });
    const edgehelm = await open({ host: logHost(store) });
    const pages: [number, string, boolean][] = [];
    for (let requestId = "", hasMore = true; hasMore;) {
      const request = { day: DAY, size: 2n, keyword: "rare", requestId, reverse };
      const page = await edgehelm.call(admin, listHTTPAccessLogs, request, "grpc");
      ({ requestId, hasMore } = page);
      pages.push([page.httpAccessLogs.length, requestId, hasMore]);
    }
    expect(pages).toEqual([
      [0, `${NOON}500`, true],
      [1, `${NOON}400`, true],
      [2, `${NOON}340`, true],
      [1, `${NOON}330`, false],
    ]);
    expect(asked.map(({ cursor }) => cursor)).toEqual(["", `${NOON}500`, `${NOON}400`, `${NOON}340`]);
    expect(asked.every(({ size, oldestFirst }) => size === 3 && oldestFirst === reverse)).toBe(true);
  });
});

describe("the choice of a store", () => {
  test.each([
    ["mongo", 'store: must be "segments", "rows" or "clickhouse", got "mongo"'],
    ["segments", 'store: "segments" needs a machine to run on: use "rows"'],
    ["clickhouse", 'store: "clickhouse" needs a machine to run on: use "rows"'],
  ])("%s without a machine", async (store, fault) => {
    await expect(open({ config: { store } })).rejects.toThrow(fault);
  });

  test.each([
    [{}, undefined, "rows"],
    [{ store: "rows" }, storeOf({}), "rows"],
    [{ store: "segments" }, storeOf({}), "segments"],
    [{}, storeOf({}), "segments"],
  ])("of %o is told at the start", async (config, store, expected) => {
    const lines: string[] = [];
    const clock = new TestClock(NOON);
    const log = createLogger({ level: "info", write: (line) => void lines.push(line), clock });
    await open({ clock, config, log, host: logHost(store) });
    expect(lines.find((line) => line.includes("access logs have their store"))).toContain(`"${expected}"`);
  });

  test.each([
    [{ samplingPercent: 101 }, "samplingPercent: must be from 0 to 100, got 101"],
    [{ rowsPerSecond: "-1" }, "rowsPerSecond: must not be negative, got -1"],
    [{ maxBytes: "-1" }, "maxBytes: must not be negative, got -1"],
  ])("refuses the configuration %o", async (config, fault) => {
    await expect(open({ config })).rejects.toThrow(fault);
  });
});

describe("export and import", () => {
  async function folder(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    return directory;
  }

  function run(edgehelm: TestKernel, command: string, ...words: string[]): Promise<readonly string[]> {
    const { kernel } = edgehelm;
    return kernel.commands.find(({ name }) => name === `logs ${command}`)!.run(kernel.systemCall("test"), words);
  }

  test("a day goes out as lines of JSON, whole or not at all, and comes back as it was", async () => {
    const edgehelm = await open({ host: logHost() });
    const httpAccessLogs = Array.from({ length: 2500 }, (_, index) => ({
      ...{ requestId: `${NOON}${index}`, serverId: BigInt(index % 5), requestURI: `/${index}`, tags: ["a\nb"] },
      ...{ header: { Accept: { values: ["ü"] } }, requestTime: 0.25, nodeId: 5n },
      requestBody: Uint8Array.of(index % 256),
    }));
    await edgehelm.call(admin, createHTTPAccessLogs, { httpAccessLogs });
    const directory = await folder();
    const path = join(directory, "day.ndjson.gz");
    expect(await run(edgehelm, "export", DAY, path)).toEqual([`wrote 2500 access logs of ${DAY} to ${path}`]);
    expect(await readdir(directory)).toEqual(["day.ndjson.gz"]);
    const lines = gunzipSync(await readFile(path)).toString().trim().split("\n");
    expect(lines).toHaveLength(2500);
    expect(JSON.parse(lines[0]!)).toMatchObject({ requestId: `${NOON}0`, requestBody: "AA==", nodeId: 5 });

    const find = async (requestId: string) => await edgehelm.call(admin, findHTTPAccessLog, { requestId });
    const before = await find(`${NOON}17`);
    expect(await run(edgehelm, "days")).toEqual([`${DAY}  2500 rows`]);
    expect(await run(edgehelm, "drop", DAY)).toEqual([`the access logs of ${DAY} are gone`]);
    expect(await run(edgehelm, "days")).toEqual([]);
    for (const _again of [1, 2]) {
      expect(await run(edgehelm, "import", path)).toEqual([
        `read 2500 access logs in 2500 lines of ${path}; 0 lines could not be read`,
      ]);
    }
    expect(await run(edgehelm, "days")).toEqual([`${DAY}  2500 rows`]);
    expect(await find(`${NOON}17`)).toEqual(before);
    const nowhere = run(edgehelm, "export", DAY, join(directory, "missing", "file"));
    await expect(nowhere).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("logs of nginx and Apache come in; lines that cannot be read are counted and told", async () => {
    const edgehelm = await open({ host: logHost() });
    const path = join(await folder(), "access.log.gz");
    await writeFile(path, gzipSync(COMBINED));
    const options = ["--server=4", "--node=5", "--host=www.shop.test", "--scheme=https"];
    for (const _again of [1, 2]) {
      expect(await run(edgehelm, "import", path, ...options)).toEqual([
        `read 9 access logs in 13 lines of ${path}; 3 lines could not be read`,
        '  line 8: line: is not of the format "combined"',
        '  line 9: line: is not of the format "combined"',
        '  line 10: line: is not of the format "combined"',
      ]);
    }
    const { httpAccessLogs } = await edgehelm.call(admin, listHTTPAccessLogs, { day: DAY, size: 100n });
    expect(httpAccessLogs).toHaveLength(9);
    const byPath = Object.groupBy(httpAccessLogs, ({ requestPath }) => requestPath);
    expect(byPath["/apache_pb.gif"]?.[0]).toMatchObject({
      ...{ remoteAddr: "127.0.0.1", remoteUser: "frank", requestMethod: "GET", proto: "HTTP/1.0", status: 200 },
      ...{
        bodyBytesSent: 2326n,
        referer: "http://www.example.com/start.html",
        userAgent: "Mozilla/4.08 [en] (Win98; I)",
      },
      ...{ host: "www.shop.test", scheme: "https", serverId: 4n, timeISO8601: "2025-03-10T11:55:36.000Z" },
      node: { id: 5n, name: "five" },
    });
    expect(byPath["/search"]?.[0]).toMatchObject({ args: 'q="a"', remoteAddr: "2001:db8::7", status: 304 });
    expect(byPath["/übersicht"]?.[0]).toMatchObject({ host: "blog.shop.test", serverPort: 8443, status: 404 });
    expect(byPath[""]?.[0]).toMatchObject({ request: "\u0016\u0003\u0001\ufffd", status: 400, requestMethod: "" });
    expect(byPath["/twice"]).toHaveLength(2);
  });

  test("logs of Caddy come in", async () => {
    const edgehelm = await open({ host: logHost() });
    const path = join(await folder(), "caddy.log");
    await writeFile(path, CADDY);
    const [told, ...faults] = await run(edgehelm, "import", path, "--server=4");
    expect(told).toBe(`read 3 access logs in 6 lines of ${path}; 3 lines could not be read`);
    expect(faults).toHaveLength(3);
    const { httpAccessLogs } = await edgehelm.call(admin, listHTTPAccessLogs, { day: DAY, size: 100n });
    const byURI = Object.groupBy(httpAccessLogs, ({ requestURI }) => requestURI);
    expect(byURI["/a?b=1"]?.[0]).toMatchObject({
      ...{
        remoteAddr: "203.0.113.9",
        rawRemoteAddr: "10.0.0.1",
        remotePort: 41342,
        scheme: "https",
        host: "shop.test",
      },
      ...{ proto: "HTTP/2.0", status: 200, bodyBytesSent: 10900n, requestTime: 0.000929675, userAgent: "curl/7.82.0" },
      header: { "User-Agent": { values: ["curl/7.82.0"] } },
      sentHeader: { "Content-Type": { values: ["text/html"] } },
      contentType: "text/html",
    });
    expect(byURI["/old"]?.[0]).toMatchObject({ remoteAddr: "::1", remotePort: 5000, scheme: "http" });
    expect(byURI["/iso"]?.[0]).toMatchObject({ timeISO8601: "2025-03-10T11:00:00.000Z" });
  });

  test.each([
    ["import", [], "arguments: must be <file> with options"],
    ["import", ["a", "--colour=red"], 'arguments: must not have "--colour=red"'],
    ["import", ["a", "--server=x"], 'server: must be an id, got "x"'],
    ["import", ["a", "--format=iis"], "format: must be one of combined, caddy, edgehelm"],
    ["export", ["2025-03-10", "a"], "day: invalid 'day'"],
    ["drop", [], "arguments: must be <day>"],
  ])("%s %o is refused", async (command, words, fault) => {
    const edgehelm = await open({ host: logHost() });
    await expect(run(edgehelm, command, ...words)).rejects.toThrow(fault);
  });
});

const COMBINED = `\
127.0.0.1 - frank [10/Mar/2025:04:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I)"
2001:db8::7 - - [10/Mar/2025:12:00:00 +0000] "GET /search?q=\\"a\\" HTTP/2.0" 304 0 "-" "Mozilla/5.0"
blog.shop.test:8443 10.0.0.2 - - [10/Mar/2025:12:00:01 +0000] "GET /\\xc3\\xbcbersicht HTTP/1.1" 404 153 "-" "-"
10.0.0.3 - - [10/Mar/2025:12:00:02 +0000] "\\x16\\x03\\x01\\x00" 400 157 "-" "-"
10.0.0.4 - - [10/Mar/2025:12:00:03 +0000] "GET /twice HTTP/1.1" 200 1 "-" "-"
10.0.0.4 - - [10/Mar/2025:12:00:03 +0000] "GET /twice HTTP/1.1" 200 1 "-" "-"
10.0.0.5 - - [10/Mar/2025:12:00:04 +0000] "HEAD /common HTTP/1.1" 200 -
this is no line of a log
10.0.0.6 - - [32/Mar/2025:12:00:04 +0000] "GET / HTTP/1.1" 200 5 "-" "-"
10.0.0.6 - - [10/Mar/2025:12:00:05 +0000] "GET /half

10.0.0.7 - - [10/Mar/2025:12:00:06 +0000] "GET http://proxied.test/p?x=1 HTTP/1.1" 200 5 "-" "-"\r
10.0.0.8 - - [10/Mar/2025:12:00:07 +0000] "GET /last HTTP/1.1" 200 5 "-" "agent" "10.1.1.1" rt=0.01`;

const CADDY = [
  '{"level":"info","ts":1741604401.5241024,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","remote_port":"41342","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"GET","host":"shop.test","uri":"/a?b=1","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]},"tls":{"resumed":false,"version":772}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":10900,"status":200,"resp_headers":{"Content-Type":["text/html"]}}',
  '{"level":"info","ts":1741604402,"request":{"remote_addr":"[::1]:5000","proto":"HTTP/1.1","method":"GET","host":"shop.test","uri":"/old","headers":{}},"duration":"12ms","size":1,"status":200}',
  '{"level":"info","ts":"2025-03-10T11:00:00Z","request":{"remote_ip":"10.0.0.1","uri":"/iso","method":"GET","host":"shop.test"},"size":1,"status":200}',
  '{"level":"info","ts":1741604402,"msg":"server running"}',
  '{"level":"info","ts":17416',
  '{"level":"info","ts":1741604403,"request":{"uri":"/\\u0000","method":"GET"},"status":200}',
].join("\n");
