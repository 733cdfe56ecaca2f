import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { HTTPAccessLogService } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { CADDY, COMBINED } from "./lines.ts";
import { open as openFiles } from "../../../plugins/http_access_log/host.ts";
import { logKernel } from "./rig.ts";

const { createHTTPAccessLogs, findHTTPAccessLog, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000_000;
const DAY = "20250310";
const admin = as.admin();

async function open(): Promise<TestKernel> {
  const edgehelm = await logKernel({ clock: new TestClock(NOON), hosts: { http_access_log: openFiles() } });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return edgehelm;
}

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

function run(edgehelm: TestKernel, command: string, ...args: string[]): Promise<readonly string[]> {
  const { kernel } = edgehelm;
  return kernel.commands.find(({ name }) => name === `logs ${command}`)!.run(kernel.systemCall("test"), args);
}

test("exports a day atomically as lines of JSON and imports it unchanged", async () => {
  const edgehelm = await open();
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
  expect(await run(edgehelm, "drop", DAY)).toEqual([`deleted the access logs of ${DAY}`]);
  expect(await run(edgehelm, "days")).toEqual([]);
  for (const _again of [1, 2]) {
    expect(await run(edgehelm, "import", path)).toEqual([
      `imported 2500 access logs from 2500 lines of ${path}; 0 malformed lines skipped`,
    ]);
  }
  expect(await run(edgehelm, "days")).toEqual([`${DAY}  2500 rows`]);
  expect(await find(`${NOON}17`)).toEqual(before);
  const failing = run(edgehelm, "export", DAY, join(directory, "missing", "file"));
  await expect(failing).rejects.toMatchObject({ code: "ENOENT" });
});

test("imports logs of nginx and Apache and reports malformed lines", async () => {
  const edgehelm = await open();
  const path = join(await folder(), "access.log.gz");
  await writeFile(path, gzipSync(COMBINED));
  const options = ["--server=4", "--node=5", "--host=www.shop.test", "--scheme=https"];
  for (const _again of [1, 2]) {
    expect(await run(edgehelm, "import", path, ...options)).toEqual([
      `imported 9 access logs from 13 lines of ${path}; 3 malformed lines skipped`,
      '  line 8: line: must have the format "combined"',
      '  line 9: line: must have the format "combined"',
      '  line 10: line: must have the format "combined"',
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

test("imports logs of Caddy", async () => {
  const edgehelm = await open();
  const path = join(await folder(), "caddy.log");
  await writeFile(path, CADDY);
  const [summary, ...errors] = await run(edgehelm, "import", path, "--server=4");
  expect(summary).toBe(`imported 3 access logs from 6 lines of ${path}; 3 malformed lines skipped`);
  expect(errors).toHaveLength(3);
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
  ["import", ["a", "--colour=red"], 'arguments: unknown option "--colour=red"'],
  ["import", ["a", "--server=x"], 'server: must be an id, got "x"'],
  ["import", ["a", "--format=iis"], "format: must be one of combined, caddy, edgehelm"],
  ["export", ["2025-03-10", "a"], "day: invalid 'day'"],
  ["drop", [], "arguments: must be <day>"],
])("%s %o is refused", async (command, args, message) => {
  const edgehelm = await open();
  await expect(run(edgehelm, command, ...args)).rejects.toThrow(message);
});
