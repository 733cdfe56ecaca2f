import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../../core/base/log.ts";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import type { LogEntry, LogPage, StoredDay } from "../../../plugins/http_access_log/contract/log_store.ts";
import { HTTPAccessLogService } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { driverOf, logKernel, type LogKernelOptions, storeOf } from "./rig.ts";

const { createHTTPAccessLogs, listHTTPAccessLogs } = HTTPAccessLogService.method;
/** 2025-03-10, noon in UTC. */
const NOON = 1741608000_000;
const DAY = "20250310";
const admin = as.admin();

async function open(options: Partial<LogKernelOptions> = {}): Promise<TestKernel> {
  const edgehelm = await logKernel({ clock: new TestClock(NOON), ...options });
  onTestFinished(() => edgehelm[Symbol.asyncDispose]());
  return edgehelm;
}

/** A store that has only the sizes of days and records dropped days; each day takes three calls to drop. */
function daysStore(days: StoredDay[]) {
  const dropped: bigint[] = [];
  let calls = 0;
  const store = storeOf({
    days: async () => [...days],
    dropDay: async (_call, day) => {
      if (calls++ % 3 !== 2) return false;
      dropped.push(day);
      days.splice(days.findIndex((one) => one.day === day), 1);
      return true;
    },
  });
  return { store, dropped };
}

const dayOf = (day: number, bytes = 100n): StoredDay => ({ day: BigInt(day), rows: 10n, bytes });

describe("the retention job", () => {
  test("deletes days above the maximum age completely", async () => {
    const days = [20250201, 20250302, 20250303, 20250304, 20250310, 20250311].map((day) => dayOf(day));
    const { store, dropped } = daysStore(days);
    const metrics = new PrometheusMetrics();
    const edgehelm = await open({ drivers: [driverOf(store)], config: { retentionDays: 7 }, metrics });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250201n, 20250302n]);
    const text = await metrics.text();
    expect(text).toContain('\nedgehelm_http_access_log_dropped_days_total{reason="age"} 2\n');
    expect(text).toContain("\nedgehelm_http_access_log_stored_days 4\n");
    expect(text).toContain("\nedgehelm_http_access_log_stored_bytes 400\n");
    expect(text).toContain("\nedgehelm_http_access_log_stored_rows 40\n");
  });

  test("deletes the oldest days above the size limit, but not the newest", async () => {
    const days = [dayOf(20250305, 50n), dayOf(20250306, 20n), dayOf(20250307, 40n), dayOf(20250310, 500n)];
    const { store, dropped } = daysStore(days);
    const lines: string[] = [];
    const clock = new TestClock(NOON);
    const log = createLogger({ level: "info", write: (line) => void lines.push(line), clock });
    const edgehelm = await open({ clock, drivers: [driverOf(store)], config: { maxBytes: "570" }, log });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250305n]);
    days[days.length - 1] = dayOf(20250310, 5000n);
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250305n, 20250306n, 20250307n]);
    expect(lines.filter((line) => line.includes("early access log deletion started"))).toHaveLength(3);
    expect(lines.filter((line) => line.includes("no older day to delete"))).toHaveLength(1);
  });

  test("deletes the oldest days if the disk has too little free space", async () => {
    const { store, dropped } = daysStore([dayOf(20250307), dayOf(20250308), dayOf(20250309), dayOf(20250310)]);
    const metrics = new PrometheusMetrics();
    const driver = driverOf(store, { lacksSpace: () => Promise.resolve(dropped.length < 2) });
    const edgehelm = await open({ drivers: [driver], metrics });
    await edgehelm.kernel.runJob("http_access_log.keep");
    expect(dropped).toEqual([20250307n, 20250308n]);
    expect(await metrics.text()).toContain(
      '\nedgehelm_http_access_log_dropped_days_total{reason="disk_space"} 2\n',
    );
  });

  test("deletes the logs of a deleted user after the transaction that deletes the user", async () => {
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

describe("a search that stopped early", () => {
  const entry = (requestId: string): LogEntry => ({
    ...{ requestId, userId: 0n, nodeClusterId: 0n, log: new Uint8Array(), requestBody: new Uint8Array() },
  });

  test.each([false, true])("continues from where it stopped, in reverse: %s", async (reverse) => {
    const requested: LogPage[] = [];
    const results = [
      { entries: [], stoppedAt: `${NOON}500` },
      { entries: [entry(`${NOON}499`)], stoppedAt: `${NOON}400` },
      { entries: [entry(`${NOON}350`), entry(`${NOON}340`), entry(`${NOON}330`)] },
      { entries: [entry(`${NOON}330`)] },
    ];
    const store = storeOf({
      partitions: async () => [],
      list: async (_call, _filter, page) => results[requested.push(page) - 1]!,
    });
    const edgehelm = await open({ drivers: [driverOf(store)] });
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
    expect(requested.map(({ cursor }) => cursor)).toEqual(["", `${NOON}500`, `${NOON}400`, `${NOON}340`]);
    expect(requested.every(({ size, oldestFirst }) => size === 3 && oldestFirst === reverse)).toBe(true);
  });
});
