import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, countsMatchRows, descriptions, edgehelm, list, params, rpc, unread, write } from "./rig.ts";

const one = as.node(1n);
const two = as.node(2n);

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
