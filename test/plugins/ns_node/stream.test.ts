import { as, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { admin, bytes, clusterOf, nodeKernel, openStream, parsed, rpc } from "./rig.ts";

let edgehelm: TestKernel;
let events: string[];
let nsClusterId: bigint;
beforeAll(async () => {
  ({ edgehelm, events } = await nodeKernel());
  nsClusterId = await clusterOf(edgehelm);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

/** Creates a node, connects it and receives the first message. */
async function connect(name: string) {
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name, nodeClusterId: nsClusterId });
  const stream = openStream(edgehelm, await edgehelm.token(as.dns(nsNodeId)));
  expect(await stream.next()).toMatchObject({ nsNodeId, code: "connectedAPINode" });
  return { nsNodeId, ...stream };
}

const send = (nsNodeId: bigint, more: object = {}) =>
  edgehelm.call(admin, rpc.sendCommandToNSNode, { nsNodeId, code: "checkSystemdService", ...more });

/** Waits until the condition is true; the time limit of the test ends the wait. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!await condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function isActive(nsNodeId: bigint): Promise<boolean> {
  return (await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode!.isActive;
}

test("each command receives its own response", async () => {
  const node = await connect("talker");
  const [one, two] = [send(node.nsNodeId, { dataJSON: bytes({ n: 1 }) }), send(node.nsNodeId, { code: "second" })];
  // Over the network, one command may overtake the other.
  const commands = [await node.next(), await node.next()].toSorted((a, b) => a!.code < b!.code ? -1 : 1);
  expect(commands.map((message) => message!.code)).toEqual(["checkSystemdService", "second"]);
  expect(parsed(commands[0]!.dataJSON)).toEqual({ n: 1 });
  await node.send({ requestId: 999n, isOk: true, message: "to no command" });
  await node.send({ requestId: commands[1]!.requestId, isOk: true, message: "two", dataJSON: bytes([2]) });
  await node.send({ requestId: commands[0]!.requestId, isOk: false, message: "one", nsNodeId: 77n });
  expect(await one).toMatchObject({ nsNodeId: node.nsNodeId, isOk: false, message: "one" });
  expect(await two).toMatchObject({ isOk: true, message: "two", dataJSON: bytes([2]) });
  await node.finish();
  expect(await node.next()).toBeUndefined();
});

test("a command without a response from the node returns isOk false", async () => {
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name: "away", nodeClusterId: nsClusterId });
  expect(await send(nsNodeId)).toMatchObject({ isOk: false, message: `node '${nsNodeId}' not connected yet` });
  const node = await connect("slow");
  expect(await send(node.nsNodeId, { timeoutSeconds: 1 }))
    .toMatchObject({ isOk: false, message: "response timeout over 1 seconds" });
  const waiting = send(node.nsNodeId);
  await node.next();
  await node.next();
  node.abort();
  expect(await waiting).toMatchObject({ isOk: false, message: `node '${node.nsNodeId}' disconnected` });
  await expect(send(0n)).rejects.toMatchObject({ code: 400 });
  await expect(send(999n)).rejects.toMatchObject({ code: 404 });
  await expect(send(nsNodeId, { dataJSON: new TextEncoder().encode("{") })).rejects.toMatchObject({ code: 400 });
  await expect(send(nsNodeId, { timeoutSeconds: 61 })).rejects.toMatchObject({ code: 400 });
});

test("a node is active while a stream of it is open, however the streams end", async () => {
  const node = await connect("present");
  const { nsNodeId } = node;
  await edgehelm.call(as.dns(nsNodeId), rpc.updateNSNodeStatus, { statusJSON: bytes({ isActive: true }) });
  expect(await isActive(nsNodeId)).toBe(true);
  const second = openStream(edgehelm, await edgehelm.token(as.dns(nsNodeId)));
  await second.next();
  await node.finish();
  expect(await node.next()).toBeUndefined();
  expect(await isActive(nsNodeId)).toBe(true);
  const waiting = second.next();
  second.abort();
  await expect(waiting).rejects.toMatchObject({ kind: "cancelled" });
  await until(async () => !await isActive(nsNodeId));
  const third = openStream(edgehelm, await edgehelm.token(as.dns(nsNodeId)));
  await third.next();
  expect(await isActive(nsNodeId)).toBe(true);
  third.abort();
});

test("a connected node is notified of changes of its own and of its cluster's settings", async () => {
  const node = await connect("hearer");
  const task = { code: "newNodeTask", nsNodeId: node.nsNodeId };
  await edgehelm.call(admin, rpc.updateNSNodeDDoSProtection, {
    nsNodeId: node.nsNodeId,
    ddosProtectionJSON: bytes({ tcp: { isOn: true } }),
  });
  expect(await node.next()).toMatchObject(task);
  await edgehelm.call(admin, NSClusterService.method.updateNSClusterAccessLog, {
    nsClusterId,
    accessLogJSON: bytes({ isOn: true }),
  });
  expect(await node.next()).toMatchObject(task);
  await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId: node.nsNodeId });
  // The stream ends because the node is gone or because its token has ended, depending on the one that is seen first.
  expect(await node.next().catch(({ kind }) => kind)).toBeOneOf([undefined, "unauthenticated"]);
});

test("watchers are notified when an offline node connects", async () => {
  const { nsNodeId } = await edgehelm.call(admin, rpc.createNSNode, { name: "back", nodeClusterId: nsClusterId });
  await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: true });
  await edgehelm.kernel.runJob("ns_node.watch");
  const stream = openStream(edgehelm, await edgehelm.token(as.dns(nsNodeId)));
  await stream.next();
  expect(events.filter((line) => line.startsWith("back"))).toEqual(["back went offline", "back came online"]);
  stream.abort();
});
