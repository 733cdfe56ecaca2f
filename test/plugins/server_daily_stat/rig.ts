import { definePlugin, type Plugin } from "edgehelm";
import { as, type Stub, stub, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import { Nodes } from "../../../plugins/node/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";
import { ServerDailyStats } from "../../../plugins/server_daily_stat/contract.ts";
import plugin from "../../../plugins/server_daily_stat/plugin.ts";
import { ServerDailyStatService } from "../../../plugins/server_daily_stat/proto/service_server_daily_stat_pb.ts";

export const service = ServerDailyStatService.method;
export const admin = as.admin();
const node = as.node(1n);
export const DAY = 86_400n;

/** 2025-03-10 12:02 in UTC. */
export const NOON = 1741608120n;

export let bills: ServerDailyStats;
export const biller: Plugin = definePlugin({
  manifest: { name: "biller", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { stats: ServerDailyStats },
  setup: ({ deps }) => void (bills = deps.stats),
});

export let edgehelm: TestKernel;
export const clock = new TestClock(Number(NOON) * 1000);
/** The owners of the servers; server 9 does not exist. */
export const owners = new Map([[1n, 7n], [2n, 7n], [3n, 8n]]);

/** The servers that no node serves. */
export const foreign = new Set<bigint>();
/** The times at which servers left the cluster of the nodes. */
export const leftAt = new Map<bigint, bigint>();

/** Stands for the plugins of sites and nodes: every node serves the servers of `owners`, except those in `foreign`. */
export function stubs(): Stub[] {
  const servers: Partial<Servers> = {
    servedByCaller: async (call, ids) =>
      new Map(
        ids.filter((id) => owners.has(id) && (call.caller.role === "admin" || !foreign.has(id))).map((id) => [
          id,
          {
            id,
            name: `site ${id}`,
            userId: owners.get(id)!,
            nodeClusterId: 1n,
            userPlanId: 0n,
            servedUntil: leftAt.get(id),
          },
        ]),
      ),
  };
  const node = { id: 2n, name: "two", isOn: true, nodeClusterId: 1n, nodeRegionId: 6n };
  const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(2n) ? [[2n, node]] : []) };
  return [stub(Servers, servers), stub(Nodes, nodes)];
}

export function statKernel(
  config: Record<string, number>,
  metrics = new PrometheusMetrics(),
  time = clock,
): Promise<TestKernel> {
  return testKernel({
    plugins: [plugin, biller],
    stubs: stubs(),
    config: { server_daily_stat: config },
    clock: time,
    metrics,
  });
}

/** Opens the kernel before the tests of a file, and closes it after them. Sets `server` before each test. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await statKernel({}, metrics);
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
  // each test has its own server of user 7 without statistics
  beforeEach(() => void owners.set(server = BigInt(owners.size) + 100n, 7n));
}

const metrics = new PrometheusMetrics();

/** Returns the number of rows that were dropped. */
export async function droppedRows(): Promise<number> {
  const text = await metrics.text();
  return Number(/^edgehelm_server_daily_stat_foreign_rows_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

export let server = 0n;

interface Stat {
  serverId?: bigint;
  bytes?: bigint;
  createdAt?: bigint;
  day?: string;
  userId?: bigint;
  nodeRegionId?: bigint;
  countAttackRequests?: bigint;
}

export function upload(...stats: Stat[]) {
  return uploadAs(node, ...stats);
}

export function uploadAs(caller: TestCaller, ...stats: Stat[]) {
  const request = { stats: stats.map((stat) => ({ serverId: server, bytes: 1n, createdAt: NOON, ...stat })) };
  return edgehelm.call(caller, service.uploadServerDailyStats, request);
}
