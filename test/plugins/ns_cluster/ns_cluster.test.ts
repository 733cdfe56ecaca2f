import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import plugin from "../../../plugins/ns_cluster/plugin.ts";
import { admin, bytes, clusters, edgehelm, json, listen, newCluster, rpc, usedBy, version } from "./rig.ts";

describe("createNSCluster", () => {
  test("stores the settings, with hosts in lower-case ASCII", async () => {
    const { nsClusterId } = await edgehelm.call(admin, rpc.createNSCluster, {
      name: " main ",
      hosts: ["NS1.Example.com.", "ns2.bücher.example"],
      email: "dns@example.com",
      accessLogJSON: bytes({ isOn: true }),
      soaJSON: bytes({ refreshSeconds: 60 }),
    });
    const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    const hosts = ["ns1.example.com", "ns2.xn--bcher-kva.example"];
    expect(nsCluster).toMatchObject({ id: nsClusterId, isOn: true, name: "main", hosts, email: "dns@example.com" });
    expect(json(nsCluster!.soaJSON)).toEqual({ refreshSeconds: 60 });
    expect((await edgehelm.call(admin, rpc.findNSClusterHosts, { nsClusterId })).hosts).toEqual(hosts);
    const log = await edgehelm.call(admin, rpc.findNSClusterAccessLog, { nsClusterId });
    expect(json(log.AccessLogJSON)).toEqual({ isOn: true });
  });

  test.each([
    [{ name: "" }, "name: must not be empty"],
    [{ hosts: ["a b"] }, 'hosts[0]: must be a host name such as ns1.example.com, got "a b"'],
    [{ hosts: ["ok.example", "-a.example"] }, "hosts[1]: must be a host name"],
    [{ hosts: ["10.0.0.1"] }, "hosts[0]: must be a host name"],
    [{ hosts: ["example.com:53"] }, "hosts[0]: must be a host name"],
    [{ hosts: [`${"a".repeat(64)}.example`] }, "hosts[0]: must be a host name"],
    [{ hosts: [""] }, "hosts[0]: must be a host name"],
    [{ hosts: ["a.example", "A.example."] }, 'hosts[1]: "a.example" is listed twice'],
    [{ hosts: Array.from({ length: 33 }, (_, at) => `ns${at}.example`) }, "hosts: must have at most 32 items, got 33"],
    [{ email: "admin" }, 'email: must be an email address such as admin@example.com, got "admin"'],
    [{ email: "a@b c" }, "email: must be an email address"],
    [{ soaJSON: bytes("{") }, "soaJSON"],
    [{ soaJSON: bytes({ retrySeconds: 0 }) }, "soaJSON.retrySeconds: must be 1 to 2147483647, got 0"],
    [{ accessLogJSON: bytes({ isOn: "yes" }) }, "accessLogJSON.isOn"],
  ])("refuses %j", async (wrong, message) => {
    const create = edgehelm.call(admin, rpc.createNSCluster, { name: "main", ...wrong });
    await expect(create).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("may be called only by admins", async () => {
    await expect(edgehelm.call(as.user(7n), rpc.createNSCluster, { name: "mine" })).rejects.toMatchObject({
      code: 403,
    });
  });
});

describe("updateNSCluster", () => {
  const settings = {
    name: "new",
    isOn: false,
    hosts: ["ns9.example.com"],
    autoRemoteStart: true,
    timeZone: "Asia/Shanghai",
    detectAgents: true,
    email: "new@example.com",
    checkingPorts: true,
  };

  test("replaces every scalar field and clears omitted ones", async () => {
    const nsClusterId = await newCluster();
    await edgehelm.call(admin, rpc.updateNSCluster, { nsClusterId, ...settings });
    const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    expect(nsCluster).toMatchObject(settings);
    await edgehelm.call(admin, rpc.updateNSCluster, { nsClusterId, name: "bare" });
    const bare = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    expect(bare.nsCluster).toMatchObject({ name: "bare", hosts: [], timeZone: "", email: "", checkingPorts: false });
  });

  test.each(["Mars/Base", "+08:00"])("refuses the time zone %s", async (timeZone) => {
    const update = edgehelm.call(admin, rpc.updateNSCluster, {
      ...settings,
      nsClusterId: await newCluster(),
      timeZone,
    });
    await expect(update).rejects.toMatchObject({ code: 400, message: expect.stringContaining("timeZone: must be") });
  });

  test("does not find a cluster that does not exist", async () => {
    const refused = { code: 404, reason: "ns_cluster.not_found", message: "DNS cluster 9999 does not exist" };
    const update = edgehelm.call(admin, rpc.updateNSCluster, { ...settings, nsClusterId: 9999n });
    await expect(update).rejects.toMatchObject(refused);
  });
});

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

describe("deleteNSCluster", () => {
  test("is refused while the cluster is in use, with the names of its users", async () => {
    const nsClusterId = await newCluster();
    usedBy.set(nsClusterId, ['domain "x.com"', 'node "n1"']);
    await expect(edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId })).rejects.toMatchObject({
      code: 409,
      reason: "ns_cluster.in_use",
      message: `DNS cluster ${nsClusterId} is used by domain "x.com", node "n1"`,
    });
    usedBy.delete(nsClusterId);
    await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId });
  });

  test("deletes the cluster from all responses", async () => {
    const nsClusterId = await newCluster();
    await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId });
    expect((await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId })).nsCluster).toBeUndefined();
    expect((await edgehelm.call(admin, rpc.findNSClusterHosts, { nsClusterId })).hosts).toEqual([]);
    const { nsClusters } = await edgehelm.call(admin, rpc.findAllNSClusters, {});
    expect(nsClusters.map(({ id }) => id)).not.toContain(nsClusterId);
    expect((await clusters.summaries(edgehelm.kernel.systemCall("test"), [nsClusterId])).size).toBe(0);
    await expect(edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId })).rejects.toMatchObject({ code: 404 });
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
