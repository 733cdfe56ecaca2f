import { gzipSync } from "node:zlib";
import { create, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { as, TestClock, type TestKernel, WIRES } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import type { LogEntry } from "../../../plugins/http_access_log/contract/log_store.ts";
import {
  HTTPAccessLogSchema,
  HTTPAccessLogService,
} from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { NodeSchema } from "../../../proto/models/node_pb.ts";
import { driverOf, logKernel, type LogKernelOptions, storeOf } from "./rig.ts";

const { createHTTPAccessLogs, findHTTPAccessLog, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000_000;
const DAY = "20250310";
const admin = as.admin();
const NO_BYTES = new Uint8Array();
let counter = 1_000_001;
const newId = (at = NOON) => `${at}5${counter++}`;

async function open(options: Partial<LogKernelOptions> = {}): Promise<TestKernel> {
  const edgehelm = await logKernel({ clock: new TestClock(NOON), ...options });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return edgehelm;
}

/** Returns a log with unknown fields, as a newer node may send it. */
function withUnknown(requestId: string): MessageShape<typeof HTTPAccessLogSchema> {
  const log = create(HTTPAccessLogSchema, { requestId, serverId: 1n, requestURI: "/new", nodeId: 5n });
  log.$unknown = [
    { no: 900, wireType: 0, data: Uint8Array.of(42) },
    { no: 901, wireType: 2, data: Uint8Array.of(3, 65, 66, 67) },
  ];
  return log;
}

describe("storing logs unchanged", () => {
  test("preserves unknown fields on every binary wire, in single logs and in lists", async () => {
    const edgehelm = await open();
    const binary = WIRES.filter((wire) => wire !== "http");
    for (const wire of binary) {
      const log = withUnknown(newId());
      await edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs: [log] }, wire);
      for (const reading of binary) {
        const { requestId } = log;
        const found = await edgehelm.call(admin, findHTTPAccessLog, { requestId }, reading);
        expect(found.httpAccessLog).toMatchObject({ requestURI: "/new", node: { name: "five" } });
        expect(found.httpAccessLog?.$unknown).toEqual(log.$unknown);
        const { httpAccessLogs: [listed] } = await edgehelm.call(admin, listHTTPAccessLogs, { day: DAY }, reading);
        expect(listed?.$unknown).toEqual(log.$unknown);
      }
      const { httpAccessLog } = await edgehelm.call(admin, findHTTPAccessLog, { requestId: log.requestId }, "http");
      expect(httpAccessLog).toMatchObject({ requestURI: "/new" });
    }
  });

  test("passes logs to the store byte for byte, except for node and body", async () => {
    const stored: LogEntry[] = [];
    const store = storeOf({ append: async (_call, entries) => void stored.push(...entries) });
    const edgehelm = await open({ drivers: [driverOf(store)] });
    const log = withUnknown(newId());
    const requestBody = new Uint8Array([7, 8]);
    const node = create(NodeSchema, { id: 77n, name: "forged" });
    const httpAccessLogs = [log, { ...log, requestBody }, { ...log, node }, { ...log, nodeId: 77n, requestBody, node }];
    await edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs }, "grpc");
    expect(stored.map((entry) => entry.requestBody)).toEqual([NO_BYTES, requestBody, NO_BYTES, requestBody]);
    const expected = toBinary(HTTPAccessLogSchema, log);
    expect(stored.slice(0, 3).map((entry) => entry.log)).toEqual([expected, expected, expected]);
    // the replaced node id is at the end
    expect([...stored[3]!.log].sort()).toEqual([...expected].sort());
    expect(stored.map((entry) => [entry.userId, entry.nodeClusterId])).toEqual(stored.map(() => [1n, 9n]));
  });

  test("ignores the node id and name in logs from nodes, but accepts the node id from an admin", async () => {
    const edgehelm = await open();
    for (const wire of WIRES) {
      const [fromAdmin, forged] = [newId(), newId()];
      const node = { id: 77n, name: "forged" };
      await edgehelm.call(
        admin,
        createHTTPAccessLogs,
        { httpAccessLogs: [{ requestId: fromAdmin, nodeId: 77n }] },
        wire,
      );
      const logs = [{ requestId: forged, nodeId: 77n, node }];
      await edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs: logs }, wire);
      const find = (requestId: string) => edgehelm.call(admin, findHTTPAccessLog, { requestId }, wire);
      expect((await find(fromAdmin)).httpAccessLog).toMatchObject({ nodeId: 77n, node: { id: 77n, name: "" } });
      expect((await find(forged)).httpAccessLog).toMatchObject({ nodeId: 5n, node: { id: 5n, name: "five" } });
    }
  });
});

describe("batch limits", () => {
  test("accepts 10000 logs, compressed, over gRPC and HTTP", async () => {
    const edgehelm = await open();
    const header = { Accept: { values: ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"] } };
    const userAgent = `Mozilla/5.0 ${"x".repeat(400)}`;
    const manyLogs = () =>
      Array.from({ length: 10_000 }, () => create(HTTPAccessLogSchema, { requestId: newId(), userAgent, header }));
    const token = await edgehelm.token(as.node(5n));
    await edgehelm.grpc.call(token, createHTTPAccessLogs, { httpAccessLogs: manyLogs() }, true);
    const body = gzipSync(
      JSON.stringify({ httpAccessLogs: manyLogs().map(({ requestId }) => ({ requestId, userAgent })) }),
    );
    const headers = { "x-cloud-access-token": token!, "content-encoding": "gzip" };
    const url = "http://edgehelm.test/HTTPAccessLogService/createHTTPAccessLogs";
    const response = await edgehelm.fetch(new Request(url, { method: "POST", body, headers }));
    expect(await response.json()).toEqual({ code: 200, data: {}, message: "ok" });
    let [rows, requestId] = [0, ""];
    for (let hasMore = true; hasMore;) {
      const page = await edgehelm.call(admin, listHTTPAccessLogs, { day: DAY, size: 1000n, requestId }, "grpc");
      rows += page.httpAccessLogs.length;
      ({ requestId, hasMore } = page);
    }
    expect(rows).toBe(20_000);
  });

  test.each(WIRES)("refuses more than 10000 logs over %s", async (wire) => {
    const edgehelm = await open({ drivers: [driverOf(storeOf({}))] });
    const httpAccessLogs = Array.from({ length: 10_001 }, () => ({ requestId: newId() }));
    await expect(edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs }, wire)).rejects
      .toMatchObject({ code: 400, message: expect.stringMatching(/^httpAccessLogs: must have at most 10000 items/) });
  });

  test.each(WIRES)("names the invalid log in the error and stores nothing, over %s", async (wire) => {
    const edgehelm = await open({ drivers: [driverOf(storeOf({}))] });
    const send = (log: object) =>
      edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs: [{ requestId: newId() }, log] }, wire);
    await expect(send({ requestId: "12" })).rejects.toMatchObject({ reason: "http_access_log.invalid_request_id" });
    await expect(send({ requestId: newId(NOON + 90_000_000) })).rejects.toMatchObject({ message: /in the future/ });
    await expect(send({ requestId: newId(), header: { a: { values: ["\0"] } } })).rejects
      .toMatchObject({ code: 400, message: expect.stringMatching(/^httpAccessLogs\[1\]\.header.*NUL/) });
    await expect(send({ requestId: newId(), userAgent: "x".repeat(2 ** 20 + 1) })).rejects
      .toMatchObject({
        code: 400,
        message: expect.stringMatching(/^httpAccessLogs\[1\]\.userAgent: must have at most/),
      });
  });
});

describe("sampling and load limits", () => {
  const rowsOf = (text: string, outcome: string) =>
    Number(new RegExp(`^edgehelm_http_access_log_rows_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(text)?.[1]);

  test("samples the same logs on every attempt and keeps those that a firewall acted on", async () => {
    const stored: string[] = [];
    const store = storeOf({ append: async (_call, rows) => void stored.push(...rows.map((row) => row.requestId)) });
    const metrics = new PrometheusMetrics();
    const edgehelm = await open({ drivers: [driverOf(store)], metrics, config: { samplingPercent: 20 } });
    const ordinary = Array.from({ length: 5000 }, () => ({ requestId: newId() }));
    const firewalled = Array.from({ length: 50 }, () => ({ requestId: newId(), firewallPolicyId: 3n }));
    const send = () =>
      edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs: [...ordinary, ...firewalled] }, "grpc");
    await send();
    const first = stored.splice(0);
    await send();
    expect(stored).toEqual(first);
    for (const { requestId } of firewalled) expect(first).toContain(requestId);
    expect(first.length).toBeGreaterThan(850);
    expect(first.length).toBeLessThan(1250);
    const text = await metrics.text();
    expect(rowsOf(text, "kept")).toBe(2 * first.length);
    expect(rowsOf(text, "sampled_away")).toBe(2 * (5050 - first.length));
    expect(text).toContain("\nedgehelm_http_access_log_sampling_percent 20\n");
  });

  test("refuses a whole batch above the rate limit, with a retry time", async () => {
    const clock = new TestClock(NOON);
    const metrics = new PrometheusMetrics();
    let rows = 0;
    const store = storeOf({ append: async (_call, entries) => void (rows += entries.length) });
    const edgehelm = await open({ clock, drivers: [driverOf(store)], metrics, config: { rowsPerSecond: "100" } });
    const send = async (count: number) => {
      const httpAccessLogs = Array.from({ length: count }, () => ({ requestId: newId(clock.now()) }));
      const path = "/HTTPAccessLogService/createHTTPAccessLogs";
      const headers = { "x-cloud-access-token": (await edgehelm.token(as.node(5n)))! };
      const body = JSON.stringify({ httpAccessLogs });
      const response = await edgehelm.fetch(
        new Request(`http://edgehelm.test${path}`, { method: "POST", body, headers }),
      );
      return { ...await response.json(), retryAfter: response.headers.get("retry-after") };
    };
    expect(await send(350)).toMatchObject({ code: 200 });
    expect(await send(1)).toMatchObject({ code: 429, reason: "http_access_log.too_fast", retryAfter: "3" });
    clock.advance(2.6);
    expect(await send(10)).toMatchObject({ code: 200 });
    expect(rows).toBe(360);
    expect(rowsOf(await metrics.text(), "refused")).toBe(1);
  });

  test("queues calls in order while the store is busy, and refuses those that wait too long", async () => {
    const metrics = new PrometheusMetrics();
    const held: { rows: number; finish: () => void }[] = [];
    const store = storeOf({
      append: (_call, { length }) => new Promise((resolve) => held.push({ rows: length, finish: resolve })),
    });
    const edgehelm = await open({ drivers: [driverOf(store)], metrics, config: { pendingRows: "10" } });
    const send = (count: number, timeout?: number) => {
      const httpAccessLogs = Array.from({ length: count }, () => ({ requestId: newId() }));
      if (timeout === undefined) {
        return edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs }, "grpc");
      }
      return sendWithin(edgehelm, httpAccessLogs, timeout);
    };
    // a batch above the limit is accepted if nothing else is pending
    const first = send(15);
    await expect.poll(() => held.length).toBe(1);
    const second = send(4);
    const late = send(1, 200);
    const third = send(6);
    await expect(late).rejects.toMatchObject({ reason: "http_access_log.behind" });
    expect(held.map(({ rows }) => rows)).toEqual([15]);
    expect(await metrics.text()).toContain("\nedgehelm_http_access_log_pending_rows 15\n");
    held[0]!.finish();
    await first;
    await expect.poll(() => held.map(({ rows }) => rows)).toEqual([15, 4, 6]);
    for (const { finish } of held) finish();
    await Promise.all([second, third]);
    const text = await metrics.text();
    expect([rowsOf(text, "kept"), rowsOf(text, "refused")]).toEqual([25, 1]);
  });

  test("returns and counts an error of the store", async () => {
    const metrics = new PrometheusMetrics();
    const store = storeOf({ append: () => Promise.reject(new Error("broken")) });
    const edgehelm = await open({ drivers: [driverOf(store)], metrics });
    const sending = edgehelm.call(as.node(5n), createHTTPAccessLogs, { httpAccessLogs: [{ requestId: newId() }] });
    await expect(sending).rejects.toMatchObject({ code: 500 });
    expect(rowsOf(await metrics.text(), "failed")).toBe(1);
  });
});

/** Sends logs over Connect with a timeout. */
async function sendWithin(edgehelm: TestKernel, httpAccessLogs: object[], milliseconds: number): Promise<void> {
  const headers = {
    "x-cloud-access-token": (await edgehelm.token(as.node(5n)))!,
    "content-type": "application/json",
    "connect-timeout-ms": String(milliseconds),
    "connect-protocol-version": "1",
  };
  const url = "http://edgehelm.test/pb.HTTPAccessLogService/createHTTPAccessLogs";
  const body = JSON.stringify({ httpAccessLogs });
  const response = await edgehelm.fetch(new Request(url, { method: "POST", body, headers }));
  if (response.status === 200) return;
  expect(response.headers.get("retry-after")).toBe("1");
  const { details: [{ debug }] } = await response.json();
  throw Object.assign(new Error("refused"), { reason: debug?.reason });
}
