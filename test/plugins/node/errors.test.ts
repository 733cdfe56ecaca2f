import { describe, expect, test } from "vitest";
import { admin, bytes, edgehelm, newCluster, nodes, rpc } from "./rig.ts";

describe("createNode refuses", () => {
  test.each([
    [{ name: "" }, "name: must not be empty"],
    [{ nodeClusterId: 9999n }, "nodeClusterId: node cluster 9999 does not exist"],
    [{ nodeClusterId: 0n }, "nodeClusterId: must be a positive id, got 0"],
    [{ nodeRegionId: 101n }, "nodeRegionId: region 101 does not exist"],
    [{ nodeGroupId: 3n }, "nodeGroupId: node group 3 does not exist"],
    [{ nodeLogin: { type: "telnet" } }, 'nodeLogin.type: must be one of ssh, got "telnet"'],
    [{ nodeLogin: { type: "ssh", params: bytes({ port: 70000 }) } }, "nodeLogin.params.port: must be 0 or 1 to 65535"],
    [{ nodeLogin: { type: "ssh", params: bytes({ grantId: 9999 }) } }, "nodeLogin.params.grantId: grant 9999 does not"],
  ])("%o", async (wrong, message) => {
    const request = { name: "node", nodeClusterId: await newCluster(), ...wrong };
    await expect(edgehelm.call(admin, rpc.createNode, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

describe("a node that does not exist", () => {
  test.each([
    [rpc.updateNode, { name: "x", nodeClusterId: 1n }],
    [rpc.updateNodeIsOn, {}],
    [rpc.deleteNode, {}],
    [rpc.deleteNodeFromNodeCluster, { nodeClusterId: 1n }],
    [rpc.updateNodeLogin, {}],
    [rpc.updateNodeRegionInfo, {}],
    [rpc.updateNodeSystem, {}],
    [rpc.updateNodeCache, {}],
    [rpc.updateNodeUp, {}],
    [rpc.updateNodeDDoSProtection, {}],
    [rpc.updateNodeAPIConfig, {}],
    [rpc.updateNodeIsInstalled, {}],
    [rpc.findNodeInstallStatus, {}],
    [rpc.installNode, {}],
  ])("is not found by $name", async (method, request) => {
    await expect(edgehelm.call(admin, method as typeof rpc.updateNodeIsOn, { ...request, nodeId: 9999n }))
      .rejects.toMatchObject({ code: 404, reason: "node.not_found", message: "node 9999 does not exist" });
  });

  test("is absent from the responses of find operations", async () => {
    expect((await edgehelm.call(admin, rpc.findEnabledBasicNode, { nodeId: 9999n })).node).toBeUndefined();
    const { nodes: found } = await edgehelm.call(admin, rpc.findEnabledNodesWithIds, { nodeIds: [9999n] });
    expect(found).toEqual([]);
    await expect(nodes.requireNode(edgehelm.kernel.systemCall("test"), "nodeId", 9999n))
      .rejects.toMatchObject({ message: "nodeId: node 9999 does not exist" });
  });
});
