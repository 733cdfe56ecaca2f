import { definePlugin, invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ClusterPolicyChecks,
  NodeClusterDeletions,
  NodeClusters,
  NodeClusterUses,
} from "../../../plugins/node_cluster/contract.ts";
import plugin from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { NodeGrants } from "../../../plugins/node_grant/contract.ts";

const rpc = NodeClusterService.method;
const admin = as.admin();
const usedBy = new Map<bigint, string[]>();
const deleted: bigint[] = [];
let clusters: NodeClusters;

/** Cache policies with ids up to 100 exist; firewall policies are not checked. */
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { clusters: NodeClusters },
  setup({ deps, contribute }) {
    clusters = deps.clusters;
    contribute(NodeClusterUses, { referencesTo: async (_call, id, limit) => (usedBy.get(id) ?? []).slice(0, limit) });
    contribute(NodeClusterDeletions, { deleted: async (_call, id) => void deleted.push(id) });
    contribute(ClusterPolicyChecks, {
      kind: "http_cache_policy",
      async requirePolicy(_call, field, id) {
        if (id > 100n) throw invalid(field, `cache policy ${id} does not exist`);
      },
    });
  },
});

const grants = stub(NodeGrants, {
  async requireGrant(_call, field, id) {
    if (id > 100n) throw invalid(field, `grant ${id} does not exist`);
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, probe], stubs: [grants] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

function json(value: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(value));
}

async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNodeCluster, { name })).nodeClusterId;
}

async function find(nodeClusterId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledNodeCluster, { nodeClusterId })).nodeCluster;
}

async function version(id: bigint): Promise<bigint | undefined> {
  return (await clusters.configVersions(edgehelm.kernel.systemCall("test"), [id])).get(id);
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

test("lists show pinned clusters first unless the request sets a sort flag", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  const ids: bigint[] = [];
  for (const name of ["alpha", "beta", "gamma"]) {
    ids.push((await kernel.call(admin, rpc.createNodeCluster, { name, dnsName: `dns-${name}` })).nodeClusterId);
  }
  const [alpha, beta, gamma] = ids;
  await kernel.call(admin, rpc.updateNodeClusterPinned, { nodeClusterId: alpha!, isPinned: true });
  const list = async (request: object) =>
    (await kernel.call(admin, rpc.listEnabledNodeClusters, request)).nodeClusters.map(({ id }) => id);
  expect(await list({})).toEqual([alpha, gamma, beta]);
  expect(await list({ idDesc: true })).toEqual([gamma, beta, alpha]);
  expect(await list({ idAsc: true, offset: 1n, size: 1n })).toEqual([beta]);
  expect(await list({ keyword: "NS-G" })).toEqual([gamma]);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeClusters, { keyword: "eta" })).count).toBe(1n);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeClusters, {})).count).toBe(3n);
  const all = await kernel.call(admin, rpc.findAllEnabledNodeClusters, {});
  expect(all.nodeClusters.map(({ isPinned }) => isPinned)).toEqual([true, false, false]);
  const latest = await kernel.call(admin, rpc.findLatestNodeClusters, { size: 2n });
  expect(latest.nodeClusters.map(({ id }) => id)).toEqual([gamma, beta]);
  await expect(list({ idAsc: true, idDesc: true })).rejects.toMatchObject({ code: 400 });
});

describe("DDoS protection", () => {
  test("is off by default and stored unchanged", async () => {
    const nodeClusterId = await newCluster();
    const read = async () =>
      json((await edgehelm.call(admin, rpc.findNodeClusterDDoSProtection, { nodeClusterId })).ddosProtectionJSON);
    expect(await read()).toMatchObject({ tcp: { isOn: false, maxConnections: 0, allowIPList: [] } });
    const protection = { tcp: { isOn: true, maxConnectionsPerIP: 5, allowIPList: [{ ip: "2001:db8::1" }] } };
    const ddosProtectionJSON = bytes(protection);
    await edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, { nodeClusterId, ddosProtectionJSON });
    await edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, { nodeClusterId });
    expect(await read()).toEqual(protection);
  });

  test.each([
    [{ tcp: { maxConnectionsPerIP: 4 } }, "ddosProtectionJSON.tcp.maxConnectionsPerIP: must be 0 or 5 to"],
    [{ tcp: { allowIPList: [{ ip: "x" }] } }, "ddosProtectionJSON.tcp.allowIPList[0].ip: must be an IP address"],
    [{ tcp: { ports: [{ port: 0 }] } }, "ddosProtectionJSON.tcp.ports[0].port: must be 1 to 65535"],
  ])("refuses %j", async (wrong, message) => {
    const request = { nodeClusterId: await newCluster(), ddosProtectionJSON: bytes(wrong) };
    await expect(edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

describe("the contract NodeClusters", () => {
  test("returns clusters, the clusters that use a policy, and the settings for nodes", async () => {
    const call = edgehelm.kernel.systemCall("test");
    const [one, two] = [await newCluster("one"), await newCluster("two")];
    for (const nodeClusterId of [one, two]) {
      await edgehelm.call(admin, rpc.updateNodeClusterHTTPFirewallPolicyId, {
        nodeClusterId,
        httpFirewallPolicyId: 77n,
      });
    }
    expect(await clusters.usingPolicy(call, "http_firewall_policy", 77n))
      .toEqual([{ id: one, name: "one", isOn: true }, { id: two, name: "two", isOn: true }]);
    expect(await clusters.policyOf(call, "http_firewall_policy", two)).toBe(77n);
    expect(await clusters.policyOf(call, "http_cache_policy", two)).toBe(0n);
    expect(await clusters.policyOf(call, "http_cache_policy", 9999n)).toBe(0n);
    expect([...(await clusters.summaries(call, [one, 9999n])).keys()]).toEqual([one]);
    await expect(clusters.requireCluster(call, "nodeClusterId", 9999n))
      .rejects.toMatchObject({ message: "nodeClusterId: node cluster 9999 does not exist" });
    expect(await clusters.configOf(call, two)).toMatchObject({ id: two, httpFirewallPolicyId: 77n, version: 2n });
    expect(await clusters.configOf(call, 9999n)).toBeUndefined();
  });

  test("increments the version with every change that affects nodes", async () => {
    const id = await newCluster();
    expect(await version(id)).toBe(1n);
    await edgehelm.kernel.systemCall("test").transact((inner) => clusters.configChanged(inner, [id, 9999n]));
    expect(await version(id)).toBe(2n);
    await edgehelm.kernel.systemCall("test").transact((inner) => clusters.configChangedEverywhere(inner));
    expect(await version(id)).toBe(3n);
    await edgehelm.call(admin, rpc.updateNodeCluster, { nodeClusterId: id, name: "new" });
    expect(await version(id)).toBe(4n);
    await edgehelm.call(admin, rpc.updateNodeClusterPinned, { nodeClusterId: id, isPinned: true });
    expect(await version(id)).toBe(4n);
    await edgehelm.call(admin, rpc.deleteNodeCluster, { nodeClusterId: id });
    expect(await version(id)).toBeUndefined();
  });
});
