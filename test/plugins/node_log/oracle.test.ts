import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import type { NodeLog } from "../../../plugins/node_log/proto/service_node_log_pb.ts";
import { admin, clock, edgehelm, list, params, rpc, unread, write } from "./rig.ts";

const LEVELS = ["info", "warning", "error", "success"];
const DAY = 86_400;

/** Returns a random number generator that yields the same numbers in every run. */
function seeded(seed: number) {
  let state = seed;
  const below = (limit: number) => (state = (state * 48271) % 2147483647) % limit;
  return { below, pick: <Item>(items: readonly Item[]) => items[below(items.length)]! };
}

function matches(log: NodeLog, request: Record<string, unknown>): boolean {
  const { role, nodeId, serverId, originId, level, dayFrom, dayTo, keyword, tag, allServers, isUnread } = request;
  const day = new Date(Number(log.createdAt) * 1000).toISOString().slice(0, 10);
  const has = (text: string, part: unknown) => text.toLowerCase().includes(String(part).toLowerCase());
  return (role === undefined || log.role === role) && (nodeId === undefined || log.nodeId === nodeId) &&
    (serverId === undefined || log.serverId === serverId) && (originId === undefined || log.originId === originId) &&
    (level === undefined || String(level).split(",").includes(log.level)) &&
    (dayFrom === undefined || day >= String(dayFrom)) && (dayTo === undefined || day <= String(dayTo)) &&
    (keyword === undefined || has(log.description, keyword) || has(log.tag, keyword)) &&
    (tag === undefined || has(log.tag, tag)) && (!allServers || log.serverId > 0n) && (!isUnread || !log.isRead);
}

test("lists and counts return the same as a scan of all logs, after any sequence of changes", async () => {
  const random = seeded(7);
  const { below, pick } = random;
  for (let batch = 0; batch < 12; batch++) {
    const caller = pick([as.node(1n), as.node(2n), as.dns(1n), as.report(3n), admin]);
    await write(
      caller,
      ...Array.from({ length: 120 }, () => ({
        role: pick(["node", "dns"]),
        nodeId: BigInt(below(3)),
        level: pick(LEVELS),
        tag: pick(["HTTP", "Cache_%", "disk"]),
        type: pick(["", "listen"]),
        paramsJSON: params({ port: below(2) }),
        serverId: BigInt(below(3)),
        originId: BigInt(below(2)),
        description: `${pick(["origin", "cache", "socket"])} failed ${below(40)} times`,
        // A few logs arrive late.
        createdAt: BigInt(Math.floor(clock.now() / 1000) - (below(9) === 0 ? DAY : 0)),
      })),
    );
    if (batch % 3 === 0) await edgehelm.kernel.runJob("node_log.index");
    const ids = (await list({ size: 200n, offset: BigInt(below(300)) })).map(({ id }) => id);
    if (batch % 4 === 1) await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeLogIds: ids });
    if (batch % 4 === 2) await edgehelm.call(admin, rpc.fixNodeLogs, { nodeLogIds: ids.slice(0, 5) });
    if (batch === 5) await edgehelm.call(admin, rpc.updateAllNodeLogsRead, {});
    if (batch === 6) await edgehelm.call(admin, rpc.deleteNodeLogs, { level: "success", role: "dns", size: 30n });
    if (batch === 7) await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeId: 1n, role: "node" });
    clock.advance(DAY / 4);
  }

  const all: NodeLog[] = [];
  for (let last = 1000; last === 1000;) {
    const page = await list({ size: 1000n, offset: BigInt(all.length) });
    all.push(...page);
    last = page.length;
  }
  expect(all.length).toBeGreaterThan(1000);
  expect(await unread()).toBe(BigInt(all.filter(({ isRead }) => !isRead).length));

  const day = (before: number) => new Date(clock.now() - before * DAY * 1000).toISOString().slice(0, 10);
  const values: Record<string, readonly unknown[]> = {
    role: ["node", "dns", "report", "monitor"],
    nodeId: [1n, 2n, 9n],
    serverId: [1n, 7n],
    originId: [1n],
    level: ["error", "info,warning", "success"],
    dayFrom: [day(1), day(2)],
    dayTo: [day(1), day(3)],
    keyword: ["origin failed 7", "o", "socket", "%"],
    tag: ["che_", "DISK"],
    allServers: [true],
    isUnread: [true],
  };
  for (let round = 0; round < 150; round++) {
    const request = Object.fromEntries(
      Array.from({ length: 1 + below(3) }, () => pick(Object.keys(values))).map((name) => [name, pick(values[name]!)]),
    );
    const expected = all.filter((log) => matches(log, request)).map(({ id }) => id);
    const offset = below(expected.length + 5);
    const found = (await list({ ...request, size: 25n, offset: BigInt(offset) })).map(({ id }) => id);
    const { count } = await edgehelm.call(admin, rpc.countNodeLogs, request);
    expect({ request, offset, found, count })
      .toEqual({ request, offset, found: expected.slice(offset, offset + 25), count: BigInt(expected.length) });
  }
});
