import { definePlugin, type Plugin } from "edgehelm";
import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
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
const biller: Plugin = definePlugin({
  manifest: { name: "biller", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { stats: ServerDailyStats },
  setup: ({ deps }) => void (bills = deps.stats),
});

export let edgehelm: TestKernel;
const clock = new TestClock(Number(NOON) * 1000);
/** The owners of the servers; server 9 does not exist. */
export const owners = new Map([[1n, 7n], [2n, 7n], [3n, 8n]]);

/** Opens the kernel before the tests of a file, and closes it after them. Sets `server` before each test. */
export function useKernel(): void {
  beforeAll(async () => {
    const servers: Partial<Servers> = {
      summaries: async (_call, ids) =>
        new Map(
          ids.filter((id) => owners.has(id))
            .map((id) => [id, { id, name: "", userId: owners.get(id)!, nodeClusterId: 1n, userPlanId: 0n }]),
        ),
    };
    const node = { id: 2n, name: "two", isOn: true, nodeClusterId: 1n, nodeRegionId: 6n };
    const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(2n) ? [[2n, node]] : []) };
    edgehelm = await testKernel({
      plugins: [plugin, biller],
      stubs: [stub(Servers, servers), stub(Nodes, nodes)],
      clock,
    });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
  // each test has its own server of user 7 without statistics
  beforeEach(() => void owners.set(server = BigInt(owners.size) + 100n, 7n));
}

export let server = 0n;

export function upload(...stats: { serverId?: bigint; bytes?: bigint; createdAt?: bigint; nodeRegionId?: bigint }[]) {
  const request = { stats: stats.map((stat) => ({ serverId: server, bytes: 1n, createdAt: NOON, ...stat })) };
  return edgehelm.call(node, service.uploadServerDailyStats, request);
}
