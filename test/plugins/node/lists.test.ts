import { expect, test } from "vitest";
import { addresses, admin, clock, edgehelm, newCluster, newNode, report, rpc } from "./rig.ts";

async function listNames(request: object): Promise<string[]> {
  const { nodes } = await edgehelm.call(admin, rpc.listEnabledNodesMatch, request);
  const { count } = await edgehelm.call(admin, rpc.countAllEnabledNodesMatch, withoutPage(request));
  if (!("size" in request)) expect(count).toBe(BigInt(nodes.length));
  return nodes.map(({ name }) => name);
}

function withoutPage(request: object) {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !/Asc$|Desc$|offset|size/.test(name)));
}

test("nodes are listed newest first, can be filtered by every field and sorted by their status", async () => {
  const [east, west] = [await newCluster("east"), await newCluster("west")];
  const alpha = await newNode(east, "alpha", { nodeRegionId: 1n });
  const beta = await newNode(east, "beta");
  const gamma = await newNode(west, "gamma_%");
  expect(await listNames({})).toEqual(["gamma_%", "beta", "alpha"]);
  expect(await listNames({ offset: 1n, size: 1n })).toEqual(["beta"]);
  expect((await edgehelm.call(admin, rpc.countAllEnabledNodes, {})).count).toBe(3n);

  await report(alpha, { cpuUsage: 0.9, memoryUsage: 0.1, trafficOutBytes: 7, connectionCount: 3, load1m: 2 });
  clock.advance(120);
  await report(beta, { cpuUsage: 0.5, memoryUsage: 0.2, trafficInBytes: 9, connectionCount: 30, load1m: 1 });
  await edgehelm.call(admin, rpc.updateNodeIsInstalled, { nodeId: alpha, isInstalled: true });
  const move = { nodeId: gamma, name: "gamma_%", isOn: true, nodeClusterId: west, level: 2 };
  await edgehelm.call(admin, rpc.updateNode, { ...move, secondaryNodeClusterIds: [east] });
  addresses.set(beta, [{ id: 1n, ip: "192.0.2.1" }]);

  expect(await listNames({ nodeClusterId: west })).toEqual(["gamma_%"]);
  expect(await listNames({ nodeClusterId: east })).toEqual(["gamma_%", "beta", "alpha"]);
  expect(await listNames({ nodeRegionId: 1n })).toEqual(["alpha"]);
  expect(await listNames({ level: 2 })).toEqual(["gamma_%"]);
  expect(await listNames({ installState: 1 })).toEqual(["alpha"]);
  expect(await listNames({ installState: 2 })).toEqual(["gamma_%", "beta"]);
  expect(await listNames({ activeState: 1 })).toEqual(["beta"]);
  expect(await listNames({ activeState: 2 })).toEqual(["gamma_%", "alpha"]);
  expect(await listNames({ keyword: "LPH" })).toEqual(["alpha"]);
  expect(await listNames({ keyword: "_%" })).toEqual(["gamma_%"]);
  expect(await listNames({ keyword: "192.0.2" })).toEqual(["beta"]);
  expect(await listNames({ nodeClusterId: east, activeState: 2, keyword: "a", size: 1n })).toEqual(["gamma_%"]);

  expect(await listNames({ cpuDesc: true })).toEqual(["alpha", "beta", "gamma_%"]);
  expect(await listNames({ memoryAsc: true })).toEqual(["gamma_%", "alpha", "beta"]);
  expect(await listNames({ trafficInDesc: true, size: 1n })).toEqual(["beta"]);
  expect(await listNames({ trafficOutDesc: true, size: 1n })).toEqual(["alpha"]);
  expect(await listNames({ loadDesc: true, offset: 1n, size: 1n })).toEqual(["beta"]);
  expect(await listNames({ connectionsAsc: true, nodeClusterId: east, level: 1 })).toEqual(["alpha", "beta"]);

  const { infoList } = await edgehelm.call(admin, rpc.listNodeRegionInfo, { nodeRegionId: 1n });
  expect(infoList).toMatchObject([{
    name: "alpha",
    nodeRegion: { name: "region 1" },
    nodeCluster: { name: "east" },
  }]);
  expect((await edgehelm.call(admin, rpc.countAllNodeRegionInfo, {})).count).toBe(3n);
  expect((await edgehelm.call(admin, rpc.countAllEnabledNodesWithNodeRegionId, { nodeRegionId: 1n })).count).toBe(1n);
  await edgehelm.call(admin, rpc.updateNodeRegionInfo, { nodeId: alpha, nodeRegionId: 0n });
  expect((await edgehelm.call(admin, rpc.countAllNodeRegionInfo, { nodeRegionId: 1n })).count).toBe(0n);

  const byIds = await edgehelm.call(admin, rpc.findEnabledNodesWithIds, { nodeIds: [beta, 9999n, alpha] });
  expect(byIds.nodes.map(({ name }) => name)).toEqual(["beta", "alpha"]);
  const { node } = await edgehelm.call(admin, rpc.findEnabledBasicNode, { nodeId: gamma });
  expect(node).toMatchObject({ name: "gamma_%", level: 2, nodeCluster: { name: "west" } });
});

test.each([
  [{ activeState: 3 }, "activeState: must be 0 to 2, got 3"],
  [{ installState: -1 }, "installState: must be 0 to 2, got -1"],
  [{ nodeClusterId: -1n }, "nodeClusterId: must not be negative, got -1"],
  [{ nodeGroupId: 1n }, "nodeGroupId: node group 1 does not exist"],
  [{ size: 1001n }, "size: must be at most 1000, got 1001"],
])("listEnabledNodesMatch refuses %o", async (wrong, message) => {
  await expect(edgehelm.call(admin, rpc.listEnabledNodesMatch, wrong)).rejects.toMatchObject({ code: 400, message });
});
