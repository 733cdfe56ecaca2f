import { describe, expect, test } from "vitest";
import { admin, bytes, config, edgehelm, find, json, newCluster, newNode, rpc } from "./rig.ts";

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

  test("installNode, upgradeNode, startNode and stopNode are unavailable without node_installation; an operator can set the installed flag", async () => {
    const nodeClusterId = await newCluster();
    const nodeId = await newNode(nodeClusterId);
    for (const method of [rpc.installNode, rpc.upgradeNode, rpc.startNode, rpc.stopNode]) {
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
