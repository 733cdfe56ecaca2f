import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { bytes, clock, edgehelm, find, json, newCluster, newNode, report, rpc } from "./rig.ts";

describe("updateNodeStatus", () => {
  test("stores the status with the server's time; the node is active for a minute", async () => {
    const nodeId = await newNode(await newCluster());
    const now = Math.floor(clock.now() / 1000);
    await report(nodeId, { cpuUsage: 1, load1m: 0.25, configVersion: 4, updatedAt: 5, unknown: { key: "value" } });
    const node = (await find(nodeId))!;
    expect(node).toMatchObject({ isActive: true, version: 4n });
    expect(json(node.statusJSON)).toEqual({
      cpuUsage: 1,
      load1m: 0.25,
      configVersion: 4,
      updatedAt: now,
      unknown: { key: "value" },
    });
    clock.advance(60);
    expect((await find(nodeId))!.isActive).toBe(true);
    clock.advance(1);
    expect((await find(nodeId))!.isActive).toBe(false);
    await report(nodeId, { isActive: false, error: "disk full" });
    expect((await find(nodeId))!.isActive).toBe(false);
  });

  test("ignores nodeId and updates the calling node", async () => {
    const nodeClusterId = await newCluster();
    const [nodeId, other] = [await newNode(nodeClusterId), await newNode(nodeClusterId)];
    const statusJSON = bytes({ hostname: "fra-1" });
    await edgehelm.call(as.node(nodeId), rpc.updateNodeStatus, { nodeId: other, statusJSON });
    expect(json((await find(nodeId))!.statusJSON)).toMatchObject({ hostname: "fra-1" });
    expect((await find(other))!.statusJSON.length).toBe(0);
  });

  test.each([
    [bytes({ cpuUsage: "much" }), "statusJSON.cpuUsage"],
    [bytes([]), "statusJSON"],
    [bytes({ memoryUsage: "NaN" }), "statusJSON.memoryUsage: must be a finite number, got NaN"],
    [bytes({ load1m: "-Infinity" }), "statusJSON.load1m: must be a finite number, got -Infinity"],
    [new Uint8Array(), "statusJSON: must not be empty"],
    [bytes({ error: "x".repeat(70_000) }), "statusJSON: must have at most 65536 bytes"],
  ])("refuses %#", async (statusJSON, message) => {
    const nodeId = await newNode(await newCluster());
    await expect(edgehelm.call(as.node(nodeId), rpc.updateNodeStatus, { statusJSON }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("updateNodeConnectedAPINodes stores the API nodes that a node is connected to", async () => {
  const nodeId = await newNode(await newCluster());
  await edgehelm.call(as.node(nodeId), rpc.updateNodeConnectedAPINodes, { apiNodeIds: [3n, 9n, 2n ** 63n - 1n] });
  expect((await find(nodeId))!.connectedAPINodeIds).toEqual([3n, 9n, 2n ** 63n - 1n]);
});
