import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/node_log/plugin.ts";
import {
  admin,
  clock,
  countsMatchRows,
  descriptions,
  edgehelm,
  list,
  newCluster,
  newNode,
  rpc,
  START,
  write,
} from "./rig.ts";

const DAY = 86_400;
const day = (days: number) => new Date((START + days * DAY) * 1000).toISOString().slice(0, 10);

describe("listNodeLogs", () => {
  test("applies every filter and lists newest first", async () => {
    const [east, west] = [await newCluster("east"), await newCluster("west")];
    const [a, b] = [await newNode(east), await newNode(west)];
    await write(as.node(a), { description: "plain", tag: "HTTP_%" });
    await write(as.node(a), { description: "of a site", serverId: 5n, originId: 6n, level: "warning" });
    clock.advance(DAY);
    await write(as.node(b), { description: "of west", level: "info" }, { description: "100% full", level: "success" });
    await write(as.dns(2n), { description: "of dns" });
    await write(as.dns(4n), { description: "of another dns cluster" });

    expect(await descriptions({ size: 2n })).toEqual(["of another dns cluster", "of dns"]);
    expect(await descriptions({ size: 2n, offset: 4n })).toEqual(["of a site", "plain"]);
    expect(await descriptions({ role: "node" })).toEqual(["100% full", "of west", "of a site", "plain"]);
    expect(await descriptions({ role: "node", nodeId: a })).toEqual(["of a site", "plain"]);
    expect(await descriptions({ nodeId: a })).toEqual(["of a site", "plain"]);
    expect(await descriptions({ nodeClusterId: east })).toEqual(["of a site", "plain"]);
    expect(await descriptions({ nodeClusterId: 8n, role: "dns" })).toEqual(["of dns"]);
    expect(await descriptions({ level: "info, success" })).toEqual(["100% full", "of west"]);
    expect(await descriptions({ level: "warning" })).toEqual(["of a site"]);
    expect(await descriptions({ serverId: 5n })).toEqual(["of a site"]);
    expect(await descriptions({ originId: 6n, allServers: true })).toEqual(["of a site"]);
    expect(await descriptions({ keyword: "00% F" })).toEqual(["100% full"]);
    expect(await descriptions({ keyword: "http_%" })).toEqual(["plain"]);
    expect(await descriptions({ tag: "tp_" })).toEqual(["plain"]);
    expect(await descriptions({ dayTo: day(0) })).toEqual(["of a site", "plain"]);
    expect(await descriptions({ dayFrom: day(1).replaceAll("-", ""), role: "node" })).toEqual(["100% full", "of west"]);
    expect(await descriptions({ dayFrom: day(0), dayTo: day(0), isUnread: true })).toEqual(["plain"]);
    expect(await descriptions({ dayFrom: day(2) })).toEqual([]);
  });

  test("with a fixed state, lists logs with the same text once and pages without gaps", async () => {
    for (const description of ["a", "b", "a", "c", "b", "a"]) await write(as.node(1n), { description });
    await write(as.node(1n), { description: "a", level: "info" });
    expect(await descriptions({ fixedState: 2 })).toEqual(["a", "b", "c"]);
    expect(await descriptions({ fixedState: 2, offset: 1n, size: 1n })).toEqual(["b"]);
    expect(await descriptions({ fixedState: 1 })).toEqual([]);
  });

  test.each([
    [{ level: "error,fatal" }, 'level: must be one of info, warning, error, success, got "fatal"'],
    [{ dayFrom: "yesterday" }, 'dayFrom: must be a day such as 2026-01-31, got "yesterday"'],
    [{ dayTo: "2027-02-31" }, 'dayTo: must be a day such as 2026-01-31, got "2027-02-31"'],
    [{ fixedState: 3 }, "fixedState: must be 0 to 2, got 3"],
    [{ nodeClusterId: 1n, role: "report" }, 'nodeClusterId: nodes of the role "report" have no clusters'],
    [{ role: "a b" }, 'role: must be the role of a node such as node, dns or report, got "a b"'],
    [{ size: 1001n }, "size: must be at most 1000, got 1001"],
  ])("refuses %o", async (wrong, message) => {
    await expect(list(wrong)).rejects.toMatchObject({ code: 400, message });
  });
});

describe("deleteNodeLogs", () => {
  test("deletes the logs that match, limited by offset and size", async () => {
    for (const description of ["a1", "b1", "a2", "b2", "a3"]) await write(as.node(1n), { description });
    await edgehelm.call(admin, rpc.deleteNodeLogs, { keyword: "a", offset: 1n, size: 1n });
    expect(await descriptions()).toEqual(["a3", "b2", "b1", "a1"]);
    await edgehelm.call(admin, rpc.deleteNodeLogs, { keyword: "b" });
    expect(await descriptions()).toEqual(["a3", "a1"]);
    expect(await countsMatchRows()).toBe(true);
    await edgehelm.call(admin, rpc.deleteNodeLogs, {});
    expect(await descriptions()).toEqual([]);
  });

  test("deletes more logs than fit into one transaction", async () => {
    const batch = (from: number) => Array.from({ length: 900 }, (_, at) => ({ description: `log ${from + at}` }));
    for (const from of [0, 900, 1800]) await write(as.node(1n), ...batch(from));
    expect((await edgehelm.call(admin, rpc.countNodeLogs, {})).count).toBe(2700n);
    await edgehelm.call(admin, rpc.deleteNodeLogs, { keyword: "log 1" });
    expect((await edgehelm.call(admin, rpc.countNodeLogs, {})).count).toBe(2700n - 1111n);
    expect((await edgehelm.call(admin, rpc.countAllUnreadNodeLogs, {})).count).toBe(2700n - 1111n);
  });
});

describe("retention", () => {
  test("deletes logs of the level info after three days and all others after seven, in chunks", async () => {
    const old = (level: string) =>
      Array.from({ length: 600 }, (_, at) => ({ level, description: `${level} ${at}`, createdAt: BigInt(START - 60) }));
    await write(as.node(1n), ...old("info"));
    await write(as.node(2n), ...old("info"));
    await write(as.node(1n), { level: "error", description: "error" });
    const remaining = async () => {
      await edgehelm.kernel.runJob("node_log.remove_old");
      expect(await countsMatchRows()).toBe(true);
      return await descriptions();
    };
    clock.advance(3 * DAY - 61);
    await edgehelm.kernel.runJob("node_log.remove_old");
    expect((await edgehelm.call(admin, rpc.countNodeLogs, {})).count).toBe(1201n);
    clock.advance(2);
    expect(await remaining()).toEqual(["error"]);
    clock.advance(4 * DAY + 60);
    expect(await remaining()).toEqual([]);
  });

  test("can be configured in the installation manifest", async () => {
    const config = { node_log: { keepDays: 1, keepInfoDays: 2 } };
    await using kernel = await testKernel({ plugins: [plugin], config, clock });
    const nodeLogs = [{ level: "error", description: "error" }];
    await kernel.call(as.node(1n), rpc.createNodeLogs, { nodeLogs });
    clock.advance(DAY + 1);
    await kernel.kernel.runJob("node_log.remove_old");
    expect((await kernel.call(admin, rpc.countNodeLogs, {})).count).toBe(0n);
    await expect(kernel.call(admin, rpc.listNodeLogs, { nodeClusterId: 1n })).rejects.toMatchObject({ code: 400 });
  });
});

test("the migration counts the logs of the first version", async () => {
  const { migrations } = plugin;
  const first = { ...plugin, migrations: { "0001_create_node_logs": migrations!["0001_create_node_logs"]! } };
  const before = await testKernel({ plugins: [first], clock });
  const scope = { owner: "test", tables: undefined };
  const insert =
    `insert into nodeLogs (role, nodeId, serverId, originId, level, tag, type, description, paramsJSON, hash,
    createdAt, isRead) select 'node', n.value, 3, 0, l.value, 'T', '', l.key, '', n.value || l.key, ${START}, l.value = 'info'
    from json_each('[1,2]') as n, json_each('["error","error","info"]') as l`;
  await before.engine.write((session) => Promise.resolve(session.run({ sql: insert, scope }, [])));
  await before.stop();
  const { directory } = before;
  await using after = await testKernel({ plugins: [plugin], clock, directory });
  const count = async (request: object) => (await after.call(admin, rpc.countNodeLogs, request)).count;
  const unread = async () => (await after.call(admin, rpc.countAllUnreadNodeLogs, {})).count;
  expect([await count({}), await count({ role: "node", nodeId: 1n }), await unread()]).toEqual([6n, 3n, 4n]);
  expect([await count({ serverId: 3n }), await count({ level: "info", allServers: true })]).toEqual([6n, 2n]);
  const nodeLogs = [{ level: "error", description: "new" }];
  await after.call(as.node(1n), rpc.createNodeLogs, { nodeLogs });
  await after.call(admin, rpc.deleteNodeLogs, { nodeId: 2n, role: "node" });
  expect([await count({}), await count({ role: "node" }), await unread()]).toEqual([4n, 4n, 3n]);
});
