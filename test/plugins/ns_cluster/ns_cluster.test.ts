import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/ns_cluster/plugin.ts";
import { admin, bytes, clusters, edgehelm, listen, newCluster, rpc, version } from "./rig.ts";

describe("lists", () => {
  test("return clusters newest first and count them", async () => {
    const first = await newCluster();
    const second = await newCluster();
    const { nsClusters: all } = await edgehelm.call(admin, rpc.findAllNSClusters, {});
    expect(all.slice(0, 2).map(({ id }) => id)).toEqual([second, first]);
    const { nsClusters } = await edgehelm.call(admin, rpc.listNSClusters, { offset: 1n, size: 1n });
    expect(nsClusters.map(({ id }) => id)).toEqual([first]);
    expect((await edgehelm.call(admin, rpc.countAllNSClusters, {})).count).toBe(BigInt(all.length));
    await expect(edgehelm.call(admin, rpc.listNSClusters, { size: -1n })).rejects.toMatchObject({ code: 400 });
  });
});

test("countAllNSClustersWithSSLCertId follows TLS and DNS over HTTPS through their policies", async () => {
  const count = async (sslCertId: bigint) =>
    (await edgehelm.call(admin, rpc.countAllNSClustersWithSSLCertId, { sslCertId })).count;
  const refer = (sslPolicyId: number) => bytes({ sslPolicyRef: { isOn: true, sslPolicyId } });
  const [one, two] = [await newCluster(), await newCluster()];
  expect(await count(9n)).toBe(0n);
  await edgehelm.call(admin, rpc.updateNSClusterTLS, { nsClusterId: one, tlsJSON: refer(31) });
  await edgehelm.call(admin, rpc.updateNSClusterDoH, { nsClusterId: one, dohJSON: refer(32) });
  await edgehelm.call(admin, rpc.updateNSClusterDoH, { nsClusterId: two, dohJSON: refer(31) });
  expect(await count(9n)).toBe(2n);
  expect(await count(8n)).toBe(0n);
  await edgehelm.call(admin, rpc.updateNSClusterDoH, { nsClusterId: two, dohJSON: bytes({ isOn: false }) });
  expect(await count(9n)).toBe(1n);
  await edgehelm.call(admin, rpc.updateNSClusterTLS, { nsClusterId: one, tlsJSON: refer(99) });
  expect(await count(9n)).toBe(1n);
  await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId: one });
  expect(await count(9n)).toBe(0n);
});

test("findAvailableNSHostsForUser returns the hosts of the oldest cluster that is on", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  const hosts = async () => (await kernel.call(as.user(7n), rpc.findAvailableNSHostsForUser, {})).hosts;
  expect(await hosts()).toEqual([]);
  const create = (host: string) => kernel.call(admin, rpc.createNSCluster, { name: host, hosts: [host] });
  const { nsClusterId } = await create("ns1.old.example");
  await create("ns1.new.example");
  expect(await hosts()).toEqual(["ns1.old.example"]);
  await kernel.call(admin, rpc.updateNSCluster, { nsClusterId, name: "old", isOn: false });
  expect(await hosts()).toEqual(["ns1.new.example"]);
  const byAdmin = await kernel.call(admin, rpc.findAvailableNSHostsForUser, { userId: 7n });
  expect(byAdmin.hosts).toEqual(["ns1.new.example"]);
  expect((await kernel.call(admin, rpc.countAllNSClustersWithSSLCertId, { sslCertId: 9n })).count).toBe(0n);
});

describe("the contract NSClusters", () => {
  test("returns summaries and versions of clusters", async () => {
    const id = await newCluster();
    const call = edgehelm.kernel.systemCall("test");
    expect(await clusters.requireCluster(call, "nsClusterId", id)).toEqual({ id, name: "main", isOn: true, hosts: [] });
    await expect(clusters.requireCluster(call, "nsClusterId", 9999n))
      .rejects.toMatchObject({ message: "nsClusterId: DNS cluster 9999 does not exist" });
    expect(await version(id)).toBeGreaterThan(0n);
    expect(await version(9999n)).toBeUndefined();
  });
});

test.each(["connect", "grpcweb"] as const)("creates, changes and finds over %s", async (wire) => {
  const { nsClusterId } = await edgehelm.call(admin, rpc.createNSCluster, { name: wire }, wire);
  const udpJSON = bytes(listen("udp", "5353"));
  await edgehelm.call(admin, rpc.updateNSClusterUDP, { nsClusterId, udpJSON }, wire);
  expect(await edgehelm.call(admin, rpc.findNSClusterUDPConfig, { nsClusterId }, wire)).toMatchObject({ udpJSON });
  await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId }, wire);
  expect((await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId }, wire)).nsCluster).toBeUndefined();
});
