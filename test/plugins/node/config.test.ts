import { describe, expect, test } from "vitest";
import { admin, bytes, cluster, config, edgehelm, find, json, newCluster, newNode, nodes, rpc } from "./rig.ts";

async function latestVersion(nodeId: bigint): Promise<bigint> {
  return (await find(nodeId))!.latestVersion;
}

describe("findCurrentNodeConfig", () => {
  test("returns the configuration only if the node has a different version", async () => {
    const nodeClusterId = await newCluster();
    const nodeId = await newNode(nodeClusterId, "configured", { nodeRegionId: 3n });
    await edgehelm.call(admin, rpc.updateNodeSystem, { nodeId, maxCPU: 4 });
    await edgehelm.call(admin, cluster.updateNodeClusterHTTPCachePolicyId, { nodeClusterId, httpCachePolicyId: 6n });
    const first = await config(nodeId);
    expect(first).toMatchObject({ isChanged: true, isCompressed: false, dataSize: BigInt(first.nodeJSON.length) });
    const node = json(first.nodeJSON);
    expect(node).toMatchObject({
      id: Number(nodeId),
      nodeId: (await find(nodeId))!.uniqueId,
      name: "configured",
      isOn: true,
      regionId: 3,
      maxCPU: 4,
      clusters: [{ id: Number(nodeClusterId), httpCachePolicyId: 6, httpFirewallPolicyId: 0 }],
      ddosProtection: { tcp: { isOn: false } },
      neighbours: [Number(nodeId), 1],
    });
    expect(first.nodeJSON.length).toBeGreaterThan(0);
    expect(JSON.stringify(node)).not.toContain((await find(nodeId))!.secret);
    const second = await config(nodeId, BigInt(node.version));
    expect(second).toMatchObject({ isChanged: false, dataSize: 0n, timestamp: first.timestamp });
    expect(second.nodeJSON.length).toBe(0);
    await edgehelm.call(admin, cluster.updateNodeCluster, { nodeClusterId, name: "new", timeZone: "Asia/Tokyo" });
    expect(json((await config(nodeId, BigInt(node.version))).nodeJSON)).toMatchObject({ timeZone: "Asia/Tokyo" });
  });

  test("the protection of a node overrides that of its cluster only if it has priority", async () => {
    const nodeClusterId = await newCluster();
    const nodeId = await newNode(nodeClusterId);
    const protect = (maxConnections: number, isPrior = false) =>
      bytes({ tcp: { isOn: true, isPrior, maxConnections } });
    await edgehelm.call(admin, cluster.updateNodeClusterDDoSProtection, {
      nodeClusterId,
      ddosProtectionJSON: protect(100),
    });
    const limit = async () => json((await config(nodeId)).nodeJSON).ddosProtection.tcp.maxConnections;
    await edgehelm.call(admin, rpc.updateNodeDDoSProtection, { nodeId, ddosProtectionJSON: protect(200) });
    expect(await limit()).toBe(100);
    await edgehelm.call(admin, rpc.updateNodeDDoSProtection, { nodeId, ddosProtectionJSON: protect(200, true) });
    expect(await limit()).toBe(200);
    const { ddosProtectionJSON } = await edgehelm.call(admin, rpc.findNodeDDoSProtection, { nodeId });
    expect(json(ddosProtectionJSON)).toEqual({ tcp: { isOn: true, isPrior: true, maxConnections: 200 } });
  });

  test("the version increases with every change of the node and of its clusters, even if the node moves", async () => {
    const [oldCluster, newerCluster] = [await newCluster("old"), await newCluster("newer")];
    const nodeId = await newNode(oldCluster);
    const versions = [await latestVersion(nodeId)];
    const step = async (change: Promise<unknown>) => {
      await change;
      versions.push(await latestVersion(nodeId));
    };
    for (const name of ["a", "b", "c"]) {
      await step(edgehelm.call(admin, cluster.updateNodeCluster, { nodeClusterId: oldCluster, name }));
    }
    const update = { nodeId, name: "mover", isOn: true };
    await step(edgehelm.call(admin, rpc.updateNode, { ...update, nodeClusterId: newerCluster }));
    await step(edgehelm.call(admin, cluster.updateNodeCluster, { nodeClusterId: newerCluster, name: "d" }));
    await step(
      edgehelm.call(admin, rpc.updateNode, {
        ...update,
        nodeClusterId: newerCluster,
        secondaryNodeClusterIds: [oldCluster],
      }),
    );
    await step(edgehelm.call(admin, cluster.updateNodeCluster, { nodeClusterId: oldCluster, name: "e" }));
    await step(edgehelm.call(admin, rpc.deleteNodeFromNodeCluster, { nodeId, nodeClusterId: newerCluster }));
    await step(edgehelm.call(admin, rpc.updateNodeCache, { nodeId, cacheDiskDir: "/cache" }));
    await step(edgehelm.call(admin, rpc.updateNodeRegionInfo, { nodeId, nodeRegionId: 5n }));
    await step(edgehelm.kernel.systemCall("test").transact((inner) => nodes.configChanged(inner, [nodeId])));
    expect(versions).toEqual(versions.map((_, index) => versions[0]! + BigInt(index)));
  });
});
