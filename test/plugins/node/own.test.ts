import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, bytes, clock, cluster, edgehelm, find, json, newCluster, newNode, nodes, report, rpc } from "./rig.ts";

async function config(nodeId: bigint, version = 0n) {
  return await edgehelm.call(as.node(nodeId), rpc.findCurrentNodeConfig, { version });
}

async function latestVersion(nodeId: bigint): Promise<bigint> {
  return (await find(nodeId))!.latestVersion;
}

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
  await edgehelm.call(as.node(nodeId), rpc.updateNodeConnectedAPINodes, { apiNodeIds: [3n, 9n] });
  expect((await find(nodeId))!.connectedAPINodeIds).toEqual([3n, 9n]);
});

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

describe("the settings of a node's machine", () => {
  test("are stored, returned and part of its configuration", async () => {
    const nodeId = await newNode(await newCluster());
    const directories = [{ path: "/ssd", capacity: { count: 2, unit: "tb" } }];
    const cache = { nodeId, maxCacheDiskCapacity: { count: 64n, unit: "gb" }, cacheDiskDir: "/opt/cache" };
    const cacheDiskSubDirsJSON = bytes(directories);
    await edgehelm.call(admin, rpc.updateNodeCache, { ...cache, cacheDiskSubDirsJSON });
    await edgehelm.call(admin, rpc.updateNodeCache, cache);
    const apiNodeAddrsJSON = bytes([{ protocol: "https", host: "api.example", portRange: "8003" }]);
    await edgehelm.call(admin, rpc.updateNodeAPIConfig, { nodeId, apiNodeAddrsJSON });
    await edgehelm.call(admin, rpc.updateNodeUp, { nodeId, isUp: false });
    const { maxCacheDiskCapacity, cacheDiskDir } = cache;
    expect(await find(nodeId)).toMatchObject({ maxCacheDiskCapacity, cacheDiskDir, cacheDiskSubDirsJSON, isUp: false });
    expect((await find(nodeId))!.maxCacheMemoryCapacity).toBeUndefined();
    expect((await edgehelm.call(admin, rpc.findNodeAPIConfig, { nodeId })).apiNodeAddrsJSON).toEqual(apiNodeAddrsJSON);
    expect(json((await config(nodeId)).nodeJSON)).toMatchObject({
      maxCacheDiskCapacity: { count: 64, unit: "gb" },
      cacheDiskSubDirs: directories,
      apiNodeAddrs: [{ host: "api.example" }],
    });
    await edgehelm.call(admin, rpc.updateNodeAPIConfig, { nodeId, apiNodeAddrsJSON: bytes([]) });
    expect((await edgehelm.call(admin, rpc.findNodeAPIConfig, { nodeId })).apiNodeAddrsJSON.length).toBe(0);
  });

  test.each([
    [rpc.updateNodeSystem, { maxCPU: -1 }, "maxCPU: must be 0 to"],
    [rpc.updateNodeCache, { cacheDiskDir: "cache" }, "cacheDiskDir: must be an absolute path"],
    [
      rpc.updateNodeCache,
      { maxCacheDiskCapacity: { count: 1n, unit: "zb" } },
      "maxCacheDiskCapacity.unit: must be one",
    ],
    [rpc.updateNodeCache, { cacheDiskSubDirsJSON: bytes([{}]) }, "cacheDiskSubDirsJSON[0].path: must not be empty"],
    [rpc.updateNodeAPIConfig, { apiNodeAddrsJSON: bytes([{ protocol: "ftp" }]) }, "apiNodeAddrsJSON[0].protocol"],
    [
      rpc.updateNodeDDoSProtection,
      { ddosProtectionJSON: bytes({ tcp: { newConnectionsRate: 2 } }) },
      "must be 0 or 3 to",
    ],
  ])("$name refuses %j", async (method, wrong, message) => {
    const request = { nodeId: await newNode(await newCluster()), ...wrong };
    await expect(edgehelm.call(admin, method as typeof rpc.updateNodeSystem, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("installNode, startNode and stopNode are unavailable; an operator can set the installed flag", async () => {
    const nodeClusterId = await newCluster();
    const nodeId = await newNode(nodeClusterId);
    for (const method of [rpc.installNode, rpc.startNode, rpc.stopNode]) {
      await expect(edgehelm.call(admin, method as typeof rpc.startNode, { nodeId })).rejects.toMatchObject({
        code: 503,
      });
    }
    const status = async () => (await edgehelm.call(admin, rpc.findNodeInstallStatus, { nodeId })).installStatus;
    expect(await status()).toMatchObject({ isFinished: false, isOk: false });
    const query = { nodeClusterId };
    expect((await edgehelm.call(admin, rpc.countAllNotInstalledNodesWithNodeClusterId, query)).count).toBe(1n);
    const { nodes: notInstalled } = await edgehelm.call(admin, rpc.findAllNotInstalledNodesWithNodeClusterId, query);
    expect(notInstalled.map(({ id }) => id)).toEqual([nodeId]);
    await edgehelm.call(admin, rpc.updateNodeIsInstalled, { nodeId, isInstalled: true });
    expect(await status()).toMatchObject({ isFinished: true, isOk: true });
    expect((await edgehelm.call(admin, rpc.countAllNotInstalledNodesWithNodeClusterId, query)).count).toBe(0n);
  });
});
