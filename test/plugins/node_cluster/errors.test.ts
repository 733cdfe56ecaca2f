import { describe, expect, test } from "vitest";
import { admin, bytes, edgehelm, rpc, useKernel } from "./rig.ts";

useKernel();

describe("createNodeCluster refuses", () => {
  test.each([
    [{ name: " " }, "name: must not be empty"],
    [{ installDir: "opt" }, "installDir: must be an absolute path"],
    [{ installDir: "/opt/../etc" }, "installDir: must be an absolute path"],
    [{ dnsName: "a_b" }, "dnsName: must be labels"],
    [{ dnsDomainId: 4n }, "dnsDomainId: DNS domain 4 does not exist"],
    [{ nodeGrantId: 101n }, "nodeGrantId: grant 101 does not exist"],
    [{ nodeGrantId: -1n }, "nodeGrantId: must not be negative"],
    [{ httpCachePolicyId: 101n }, "httpCachePolicyId: cache policy 101 does not exist"],
    [{ maxConcurrentReads: -1 }, "maxConcurrentReads: must be 0 to 2147483647, got -1"],
    [{ systemServicesJSON: bytes({ systemd: 1 }) }, "systemServicesJSON.systemd"],
    [{ globalServerConfigJSON: bytes({ tcpAll: { portRangeMin: 70000 } }) }, "tcpAll.portRangeMin: must be 1 to 65535"],
    [
      { globalServerConfigJSON: bytes({ tcpAll: { portRangeMin: 9, portRangeMax: 8 } }) },
      "must be at least portRangeMin",
    ],
  ])("%o", async (wrong, message) => {
    const create = edgehelm.call(admin, rpc.createNodeCluster, { name: "main", ...wrong });
    await expect(create).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("a DNS name that another cluster has", async () => {
    const { nodeClusterId } = await edgehelm.call(admin, rpc.createNodeCluster, { name: "a", dnsName: "taken" });
    const sameName = { name: "b", dnsName: "Taken" };
    await expect(edgehelm.call(admin, rpc.createNodeCluster, sameName))
      .rejects.toMatchObject({ code: 409, reason: "node_cluster.dns_name_taken" });
    await edgehelm.call(admin, rpc.deleteNodeCluster, { nodeClusterId });
    await edgehelm.call(admin, rpc.createNodeCluster, sameName);
  });
});

describe("a cluster that does not exist", () => {
  test.each([
    [rpc.updateNodeCluster, { name: "x" }],
    [rpc.deleteNodeCluster, {}],
    [rpc.updateNodeClusterPinned, {}],
    [rpc.updateNodeClusterHTTPCachePolicyId, { httpCachePolicyId: 1n }],
    [rpc.updateNodeClusterHTTPFirewallPolicyId, {}],
    [rpc.updateNodeClusterDDoSProtection, { ddosProtectionJSON: bytes({}) }],
    [rpc.updateNodeClusterGlobalServerConfig, {}],
    [rpc.updateNodeClusterSystemService, { type: "systemd", paramsJSON: bytes({ isOn: true }) }],
  ])("is not found by $name", async (method, request) => {
    await expect(edgehelm.call(admin, method as typeof rpc.deleteNodeCluster, { ...request, nodeClusterId: 9999n }))
      .rejects.toMatchObject({ code: 404, reason: "node_cluster.not_found" });
  });
});
