import { expect, test } from "vitest";
import { admin, bytes, deleted, edgehelm, json, rpc, usedBy, useKernel } from "./rig.ts";

useKernel();

async function find(nodeClusterId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledNodeCluster, { nodeClusterId })).nodeCluster;
}

test("a cluster is created, updated, assigned policies and deleted", async () => {
  const { nodeClusterId } = await edgehelm.call(admin, rpc.createNodeCluster, {
    name: " Frankfurt ",
    nodeGrantId: 3n,
    installDir: "/opt/edge",
    dnsName: "FRA1",
    httpCachePolicyId: 5n,
    autoTrimDisks: true,
    maxConcurrentReads: 8,
    systemServicesJSON: bytes({ systemd: { isOn: true } }),
    globalServerConfigJSON: bytes({ httpAll: { matchDomainStrictly: true }, unknown: 1 }),
  });
  expect(await find(nodeClusterId)).toMatchObject({
    name: "Frankfurt",
    nodeGrantId: 3n,
    installDir: "/opt/edge",
    dnsName: "fra1",
    httpCachePolicyId: 5n,
    httpFirewallPolicyId: 0n,
    isOn: true,
    autoTrimDisks: true,
    maxConcurrentReads: 8,
    secret: "",
    uniqueId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const service = await edgehelm.call(admin, rpc.findNodeClusterSystemService, { nodeClusterId, type: "systemd" });
  expect(json(service.paramsJSON)).toEqual({ isOn: true });
  const { globalServerConfigJSON } = await edgehelm.call(admin, rpc.findNodeClusterGlobalServerConfig, {
    nodeClusterId,
  });
  expect(json(globalServerConfigJSON)).toEqual({ httpAll: { matchDomainStrictly: true }, unknown: 1 });

  await edgehelm.call(admin, rpc.updateNodeCluster, {
    nodeClusterId,
    name: "FRA",
    timeZone: "Europe/Berlin",
    nodeMaxThreads: 4,
    clockJSON: bytes({ autoSync: true, server: "ntp.example" }),
    sshParamsJSON: bytes({ port: 2222 }),
  });
  await edgehelm.call(admin, rpc.updateNodeCluster, { nodeClusterId, name: "FRA" });
  const updated = await find(nodeClusterId);
  expect(updated).toMatchObject({ name: "FRA", timeZone: "", nodeMaxThreads: 0, nodeGrantId: 0n, dnsName: "fra1" });
  expect(json(updated!.clockJSON)).toEqual({ autoSync: true, server: "ntp.example" });
  expect(json(updated!.sshParamsJSON)).toEqual({ port: 2222 });

  await edgehelm.call(admin, rpc.updateNodeClusterHTTPCachePolicyId, { nodeClusterId, httpCachePolicyId: 6n });
  await edgehelm.call(admin, rpc.updateNodeClusterHTTPFirewallPolicyId, { nodeClusterId, httpFirewallPolicyId: 9n });
  expect(await find(nodeClusterId)).toMatchObject({ httpCachePolicyId: 6n, httpFirewallPolicyId: 9n });
  const used = await edgehelm.call(admin, rpc.findAllEnabledNodeClustersWithHTTPCachePolicyId, {
    httpCachePolicyId: 6n,
  });
  expect(used.nodeClusters.map(({ id }) => id)).toEqual([nodeClusterId]);
  const unused = await edgehelm.call(admin, rpc.countAllEnabledNodeClustersWithHTTPCachePolicyId, {
    httpCachePolicyId: 5n,
  });
  expect(unused.count).toBe(0n);

  usedBy.set(nodeClusterId, ['node "n1"']);
  await expect(edgehelm.call(admin, rpc.deleteNodeCluster, { nodeClusterId })).rejects.toMatchObject({
    code: 409,
    reason: "node_cluster.in_use",
    message: `node cluster ${nodeClusterId} is used by node "n1"`,
  });
  usedBy.delete(nodeClusterId);
  await edgehelm.call(admin, rpc.deleteNodeCluster, { nodeClusterId });
  expect(await find(nodeClusterId)).toBeUndefined();
  expect(deleted).toEqual([nodeClusterId]);
  const after = await edgehelm.call(admin, rpc.countAllEnabledNodeClustersWithHTTPFirewallPolicyId, {
    httpFirewallPolicyId: 9n,
  });
  expect(after.count).toBe(0n);
});
