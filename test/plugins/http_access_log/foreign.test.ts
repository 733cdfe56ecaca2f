import { as, type TestCaller, TestClock, type TestKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import { HTTPAccessLogService } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { FOREIGN, LEFT, logKernel } from "./rig.ts";

const { createHTTPAccessLogs, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000;
const DAY = 86_400;
const admin = as.admin();
let counter = 1_000_001;

async function open(config = {}): Promise<{ edgehelm: TestKernel; metrics: PrometheusMetrics }> {
  const metrics = new PrometheusMetrics();
  const edgehelm = await logKernel({ clock: new TestClock(NOON * 1000), metrics, config });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return { edgehelm, metrics };
}

async function send(edgehelm: TestKernel, caller: TestCaller, ...logs: { serverId?: bigint; at?: number }[]) {
  const httpAccessLogs = logs.map(({ serverId = 1n, at = NOON }) => {
    return { requestId: `${at}000${counter++}`, serverId, requestURI: `/${serverId}` };
  });
  await edgehelm.call(caller, createHTTPAccessLogs, { httpAccessLogs });
}

async function uris(edgehelm: TestKernel, day = "20250310"): Promise<string[]> {
  const { httpAccessLogs } = await edgehelm.call(admin, listHTTPAccessLogs, { day, size: 100n });
  return httpAccessLogs.map(({ requestURI }) => requestURI);
}

test("logs of sites that a node does not serve are dropped and counted, and the others of the batch stored", async () => {
  const { edgehelm, metrics } = await open();
  const [first, second] = [...FOREIGN];
  await send(edgehelm, as.node(5n), { serverId: 1n }, { serverId: first! }, { serverId: second! }, { serverId: 0n });
  expect(await uris(edgehelm)).toEqual(["/0", "/1"]);
  await send(edgehelm, as.node(5n), { serverId: first! });
  expect(await uris(edgehelm)).toEqual(["/0", "/1"]);
  const text = await metrics.text();
  expect(text).toContain('edgehelm_http_access_log_rows_total{outcome="foreign"} 3\n');
  expect(text).toContain('edgehelm_http_access_log_rows_total{outcome="kept"} 2\n');
  await send(edgehelm, admin, { serverId: first! });
  expect(await uris(edgehelm)).toEqual([`/${first}`, "/0", "/1"]);
});

test("logs of a site that left the node's cluster are stored up to that time", async () => {
  const { edgehelm } = await open();
  const [[serverId, leftAt]] = [...LEFT] as [[bigint, bigint]];
  await send(edgehelm, as.node(5n), { serverId, at: Number(leftAt) }, { serverId, at: Number(leftAt) + 1 });
  expect(await uris(edgehelm)).toEqual([`/${serverId}`]);
});

test("a node can send logs of the last three days, or as many as the setting says, and an admin older ones", async () => {
  const { edgehelm } = await open();
  const midnight = NOON - NOON % DAY;
  await send(edgehelm, as.node(5n), { at: midnight - 3 * DAY });
  expect(await uris(edgehelm, "20250307")).toEqual(["/1"]);
  const late = send(edgehelm, as.node(5n), { at: NOON }, { at: midnight - 3 * DAY - 1 });
  const message = /^httpAccessLogs\[1\]\.requestId: must be at most 3 days ago, on 2025-03-07 or later, got 1741305599/;
  await expect(late).rejects.toMatchObject({ code: 400, message: expect.stringMatching(message) });
  expect(await uris(edgehelm)).toEqual([]);
  await send(edgehelm, admin, { at: midnight - 3 * DAY - 1 });
  expect(await uris(edgehelm, "20250306")).toEqual(["/1"]);

  const { edgehelm: strict } = await open({ pastDays: 0 });
  await send(strict, as.node(5n), { at: midnight });
  await expect(send(strict, as.node(5n), { at: midnight - 1 })).rejects.toMatchObject({ code: 400 });
});
