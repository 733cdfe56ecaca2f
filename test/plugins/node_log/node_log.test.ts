import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import {
  admin,
  clock,
  countsMatchRows,
  deleteNode,
  descriptions,
  edgehelm,
  list,
  logs,
  newCluster,
  newNode,
  params,
  rpc,
  START,
  unread,
  write,
} from "./rig.ts";

const one = as.node(1n);
const two = as.node(2n);

test("errors are stored, repeats are counted, a success fixes an error, and an operator fixes the rest", async () => {
  const listen = { type: "listenAddressFailed", paramsJSON: params({ address: ":443" }), tag: "LISTENER" };
  await write(one, { ...listen, description: "port 443 is taken" });
  await write(one, { ...listen, description: "port 443 is taken" }, { ...listen, description: "port 443 is taken" });
  await write(two, { level: "info", description: "started" }, { description: "disk is full", serverId: 7n });
  expect(await unread()).toBe(2n);
  const [disk, started, port] = await list();
  expect(port).toMatchObject({
    role: "node",
    nodeId: 1n,
    level: "error",
    tag: "LISTENER",
    type: "listenAddressFailed",
    description: "port 443 is taken",
    createdAt: BigInt(START),
    count: 3,
    isRead: false,
    isFixed: false,
    paramsJSON: params({ address: ":443" }),
  });
  expect(started).toMatchObject({ level: "info", isRead: true });
  expect(disk).toMatchObject({ serverId: 7n });
  expect(await descriptions({ fixedState: 2, level: "error" })).toEqual(["disk is full", "port 443 is taken"]);

  await write(one, { ...listen, level: "success", description: "listens on 443" });
  expect(await descriptions({ fixedState: 1 })).toEqual(["port 443 is taken"]);
  expect(await unread()).toBe(1n);
  await edgehelm.call(admin, rpc.fixNodeLogs, { nodeLogIds: [disk!.id] });
  expect(await unread()).toBe(0n);
  expect(await descriptions({ fixedState: 2, level: "error" })).toEqual([]);

  await write(one, { ...listen, description: "port 443 is taken" });
  expect((await list())[0]).toMatchObject({ description: "port 443 is taken", count: 1, isFixed: false });
  expect(await unread()).toBe(1n);
  await edgehelm.call(admin, rpc.updateAllNodeLogsRead, {});
  expect(await unread()).toBe(0n);
  expect(await countsMatchRows()).toBe(true);
});

describe("a log is counted as a repeat of the last one", () => {
  const log = { description: "origin is down" };

  test("if it has the same text and node within 1800 seconds", async () => {
    await write(one, log);
    clock.advance(1799);
    await write(one, log);
    expect((await list()).map(({ count }) => count)).toEqual([2]);
    clock.advance(1);
    await write(one, log);
    expect((await list()).map(({ count }) => count)).toEqual([1, 2]);
  });

  test.each([
    { description: "origin is up" },
    { ...log, tag: "OTHER" },
    { ...log, level: "warning" },
    { ...log, serverId: 1n },
    { ...log, originId: 1n },
    { ...log, type: "other" },
    { ...log, paramsJSON: params({ a: 1 }) },
  ])("but not if it differs by %o", async (other) => {
    await write(one, log, other, log);
    expect((await list()).map(({ count }) => count)).toEqual([1, 1, 1]);
  });

  test("even if other nodes write logs in between", async () => {
    await write(one, log);
    await write(two, log);
    await write(one, log);
    expect((await list()).map(({ nodeId, count }) => [nodeId, count])).toEqual([[2n, 1], [1n, 2]]);
  });

  test("if it is written concurrently", async () => {
    await Promise.all(Array.from({ length: 20 }, () => write(one, log)));
    expect((await list()).map(({ count }) => count)).toEqual([20]);
  });
});

describe("createNodeLogs", () => {
  test("stores 1000 different logs of one call in order", async () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} ${"x".repeat(900)}`);
    await write(one, ...texts.map((description) => ({ description })));
    expect(await unread()).toBe(1000n);
    const newest = await list({ size: 3n });
    expect(newest.map(({ description }) => description.split(" ")[0])).toEqual(["999", "998", "997"]);
  });

  test("truncates long texts, even within a surrogate pair", async () => {
    await write(one, { description: `${"y".repeat(999)}🎉`, tag: `${"t".repeat(99)}🎉` });
    expect(await list()).toMatchObject([{ description: `${"y".repeat(999)}\uFFFD`, tag: `${"t".repeat(99)}\uFFFD` }]);
  });

  test("treats the logs of one call like logs of separate calls", async () => {
    const listen = { type: "listenAddressFailed", paramsJSON: params({ address: ":443" }) };
    await write(one, { ...listen, description: "taken before" });
    await write(
      one,
      { ...listen, description: "taken before" },
      { ...listen, description: "taken" },
      { ...listen, description: "taken" },
      { ...listen, description: "listens", level: "success" },
      { ...listen, description: "listens", level: "success" },
      { ...listen, description: "taken" },
    );
    const found = (await list()).map((
      { description, count, isFixed, isRead },
    ) => [description, count, isFixed, isRead]);
    expect(found).toEqual([
      ["taken", 1, false, false],
      ["listens", 2, false, true],
      ["taken", 2, true, true],
      ["taken before", 2, true, true],
    ]);
    expect(await countsMatchRows()).toBe(true);
  });

  test("refuses a NUL character, at which the database would truncate the text", async () => {
    await expect(write(one, { description: "a\0b" })).rejects.toMatchObject({ code: 400 });
  });

  test("overrides the role and the id in the logs of a node", async () => {
    const forged = { role: "dns", nodeId: 9n, description: "forged", id: 77n, count: 5, isFixed: true, isRead: true };
    await write(one, forged);
    await write(as.report(4n), { ...forged, role: "node" });
    await write(admin, { role: "monitor", nodeId: 9n, description: "by an admin" });
    expect(await list()).toMatchObject([
      { role: "monitor", nodeId: 9n },
      { role: "report", nodeId: 4n, count: 1, isFixed: false, isRead: false },
      { role: "node", nodeId: 1n },
    ]);
  });

  test("truncates long texts and replaces times in the future", async () => {
    const future = BigInt(START + 3600);
    await write(one, { description: "x".repeat(1500), tag: "t".repeat(200), createdAt: future });
    await write(two, { createdAt: 1n, description: "old" });
    const [old, long] = await list();
    expect(long).toMatchObject({ description: "x".repeat(1000), tag: "t".repeat(100), createdAt: BigInt(START) });
    expect(old).toMatchObject({ createdAt: 1n });
  });

  test.each([
    [{ level: "fatal" }, 'nodeLogs[1].level: must be one of info, warning, error, success, got "fatal"'],
    [{ serverId: -1n }, "nodeLogs[1].serverId: must not be negative, got -1"],
    [{ paramsJSON: params([]) }, "nodeLogs[1].paramsJSON"],
    [{ paramsJSON: params({ a: "x".repeat(5000) }) }, "nodeLogs[1].paramsJSON: must have at most 4096 bytes"],
  ])("stores no log if one is invalid: %o", async (wrong, message) => {
    await expect(write(one, { description: "valid" }, { description: "invalid", ...wrong }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
    expect(await list()).toEqual([]);
  });

  test("refuses a log of an admin without a role, and logs of users", async () => {
    await expect(write(admin, { description: "without a role" })).rejects.toMatchObject({ code: 400 });
    await expect(write(as.user(7n), { description: "of a user" })).rejects.toMatchObject({ code: 403 });
  });
});

describe("marks", () => {
  test("a success fixes only errors of the same node, site, type and parameters", async () => {
    const error = { type: "runScriptFailed", paramsJSON: params({ script: 1 }), serverId: 3n };
    await write(one, { ...error, description: "the same" });
    await write(one, { ...error, description: "another site", serverId: 4n });
    await write(one, { ...error, description: "other params", paramsJSON: params({ script: 2 }) });
    await write(one, { ...error, description: "another type", type: "serverConfigInitFailed" });
    await write(two, { ...error, description: "another node" });
    await write(one, { description: "no type", serverId: 3n });
    await write(one, { level: "success", description: "without a type", serverId: 3n });
    expect(await unread()).toBe(6n);
    await write(one, { ...error, level: "success", description: "script succeeded" });
    expect(await descriptions({ fixedState: 1 })).toEqual(["the same"]);
    expect(await unread()).toBe(5n);
  });

  test("fixNodeLogs fixes all logs with the same text", async () => {
    for (const description of ["a", "b", "a", "b", "a"]) await write(one, { description });
    const [last] = await list();
    expect(await descriptions({ fixedState: 2 })).toEqual(["a", "b"]);
    await edgehelm.call(admin, rpc.fixNodeLogs, { nodeLogIds: [last!.id, 9999n] });
    expect((await list()).map(({ isFixed, isRead }) => [isFixed, isRead]))
      .toEqual([[true, true], [false, false], [true, true], [false, false], [true, true]]);
    expect(await descriptions({ fixedState: 1 })).toEqual(["a"]);
    expect(await countsMatchRows()).toBe(true);
  });

  test("fixAllNodeLogs fixes existing logs, not later ones", async () => {
    await write(one, { description: "before" });
    await edgehelm.call(admin, rpc.fixAllNodeLogs, {});
    expect(await list()).toMatchObject([{ isFixed: true, isRead: false }]);
    await write(one, { description: "before" });
    expect(await list()).toMatchObject([{ isFixed: false, count: 1 }, { isFixed: true, count: 1 }]);
  });

  test("updateNodeLogsRead marks single logs and those of a node; marking twice counts once", async () => {
    await write(one, { description: "a" }, { description: "b" });
    await write(two, { description: "c" }, { description: "d" });
    const [d] = await list();
    await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeLogIds: [d!.id] });
    await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeLogIds: [d!.id] });
    expect(await descriptions({ isUnread: true })).toEqual(["c", "b", "a"]);
    await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeId: 1n, role: "node" });
    expect(await descriptions({ isUnread: true })).toEqual(["c"]);
    await edgehelm.call(admin, rpc.updateAllNodeLogsRead, {});
    await edgehelm.call(admin, rpc.updateNodeLogsRead, { nodeId: 2n, role: "node" });
    expect(await unread()).toBe(0n);
    await write(one, { description: "e" });
    expect(await unread()).toBe(1n);
    expect(await countsMatchRows()).toBe(true);
  });
});

test("the logs of a deleted node are hidden immediately and deleted in the background", async () => {
  const cluster = await newCluster();
  const [deleted, other] = [await newNode(cluster), await newNode(cluster)];
  await write(as.node(deleted), { description: "of the deleted node" });
  await write(as.node(other), { description: "of the other node" });
  await deleteNode(deleted);
  expect((await list()).map(({ description }) => description)).toEqual(["of the other node"]);
  expect(await descriptions({ nodeId: deleted, role: "node" })).toEqual([]);
  await edgehelm.kernel.runJob("node_log.remove_old");
  expect(await descriptions()).toEqual(["of the other node"]);
  expect(await unread()).toBe(1n);
  await edgehelm.kernel.systemCall("test").transact((inner) => logs.removeOfNode(inner, "node", other));
  expect(await list()).toEqual([]);
});

test("other plugins write logs of nodes in their own transaction", async () => {
  const log = { role: "report", nodeId: 4n, level: "error", tag: "PROBE", description: "silent" } as const;
  const call = edgehelm.kernel.systemCall("test");
  const rolledBack = call.transact(async (inner) => {
    await logs.write(inner, [log]);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(await list()).toEqual([]);
  await logs.write(call, [log, { ...log, level: "success", type: "x", params: '{"a":1}' }]);
  expect(await list()).toMatchObject([{ level: "success", paramsJSON: params({ a: 1 }) }, { role: "report" }]);
});
