import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import {
  admin,
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
