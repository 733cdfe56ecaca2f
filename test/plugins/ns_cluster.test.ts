import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSClusters, NSClusterSSLPolicies, NSClusterUses } from "../../plugins/ns_cluster/contract.ts";
import plugin from "../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../plugins/ns_cluster/service_ns_cluster_pb.ts";

const rpc = NSClusterService.method;
const admin = as.admin();
const usedBy = new Map<bigint, string[]>();
let clusters: NSClusters;

const neighbour = definePlugin({
  manifest: { name: "neighbour", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { clusters: NSClusters },
  setup({ deps, contribute }) {
    clusters = deps.clusters;
    contribute(NSClusterUses, {
      usersOf: (_call, id, limit) => Promise.resolve((usedBy.get(id) ?? []).slice(0, limit)),
    });
    // certificate 9 is in the policies 31 and 32
    contribute(NSClusterSSLPolicies, {
      policiesWithCertificate: (_call, sslCertId) => Promise.resolve(sslCertId === 9n ? [31n, 32n] : []),
    });
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, neighbour] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

function json(value: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(value));
}

async function newCluster(): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNSCluster, { name: "main" })).nsClusterId;
}

async function version(id: bigint): Promise<bigint | undefined> {
  return await clusters.configVersion(edgehelm.kernel.systemCall("test"), id);
}

/** The find and update operations of each configuration, with one value that keeps all rules. */
const listen = (protocol: string, portRange: string, host = "") => ({
  isOn: true,
  listen: [{ protocol, host, portRange }],
});
const CONFIGS = [
  ["accessLogJSON", "AccessLog", "AccessLog", { isOn: true, logMissingDomains: true }],
  ["recursionJSON", "RecursionConfig", "RecursionConfig", {
    isOn: true,
    hosts: [{ host: "2001:db8::1", port: 5353, protocol: "tcp" }, { host: "9.9.9.9" }],
    allowDomains: ["example.com"],
  }],
  ["tcpJSON", "TCPConfig", "TCP", listen("tcp", "53-60", "::1")],
  ["tlsJSON", "TLSConfig", "TLS", { ...listen("tls", "853"), sslPolicyRef: { isOn: true, sslPolicyId: 5 } }],
  ["udpJSON", "UDPConfig", "UDP", listen("udp", "53:54", "127.0.0.1")],
  ["dohJSON", "DoHConfig", "DoH", { ...listen("https", "443", "doh.example.com"), path: "/q" }],
  ["ddosProtectionJSON", "DDoSProtection", "DDoSProtection", {
    tcp: {
      isOn: true,
      maxConnectionsPerIP: 5,
      newConnectionsRate: 3,
      allowIPList: [{ ip: "10.0.0.1" }],
      ports: [{ port: 53 }],
    },
  }],
  ["answerJSON", "AnswerConfig", "AnswerConfig", { mode: "roundRobin", maxSize: 32767 }],
  ["soaJSON", "SOAConfig", "SOAConfig", {
    mName: "ns1.example.com",
    rName: "dns@example.com",
    refreshSeconds: 60,
    expireSeconds: 60,
    minimumTTL: 0,
  }],
] as const;

type Answer = Record<string, unknown>;
async function post(operation: string, body: Answer): Promise<{ code: number; message: string; data: Answer }> {
  return await edgehelm.post(`/NSClusterService/${operation}`, body, admin) as never;
}

function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value));
}

async function found(find: string, field: string, nsClusterId: bigint): Promise<unknown> {
  const { data } = await post(`findNSCluster${find}`, { nsClusterId: Number(nsClusterId) });
  return data[field === "accessLogJSON" ? "AccessLogJSON" : field];
}

async function change(update: string, field: string, nsClusterId: bigint, value: unknown) {
  const body = { nsClusterId: Number(nsClusterId), [field]: base64(bytes(value)) };
  return await post(`updateNSCluster${update}`, body);
}

describe("createNSCluster", () => {
  test("keeps what it is given, with hosts as ASCII in lower case", async () => {
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
    [{ email: "nobody" }, 'email: must be an email address such as admin@example.com, got "nobody"'],
    [{ email: "a@b c" }, "email: must be an email address"],
    [{ soaJSON: bytes("{") }, "soaJSON"],
    [{ soaJSON: bytes({ retrySeconds: 0 }) }, "soaJSON.retrySeconds: must be 1 to 2147483647, got 0"],
    [{ accessLogJSON: bytes({ isOn: "yes" }) }, "accessLogJSON.isOn"],
  ])("refuses %j", async (wrong, message) => {
    const create = edgehelm.call(admin, rpc.createNSCluster, { name: "main", ...wrong });
    await expect(create).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("is for admins", async () => {
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

  test("replaces every scalar, and blanks those left out", async () => {
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

  test("does not find a cluster that is not there", async () => {
    const refused = { code: 404, reason: "ns_cluster.not_found", message: "DNS cluster 9999 does not exist" };
    const update = edgehelm.call(admin, rpc.updateNSCluster, { ...settings, nsClusterId: 9999n });
    await expect(update).rejects.toMatchObject(refused);
  });
});

describe.each(CONFIGS)("%s", (field, find, update, value) => {
  test("is answered as it was stored, and marks the cluster as changed", async () => {
    const id = await newCluster();
    const before = await version(id);
    expect(await change(update, field, id, value)).toMatchObject({ code: 200 });
    expect(await found(find, field, id)).toBe(base64(bytes(value)));
    expect(await version(id)).toBe(before! + 1n);
  });

  test("stays as it is when the bytes are empty", async () => {
    const id = await newCluster();
    await change(update, field, id, value);
    const before = await version(id);
    expect(await change(update, field, id, "")).toMatchObject({ code: 200 });
    expect(await found(find, field, id)).toBe(base64(bytes(value)));
    expect(await version(id)).toBe(before);
  });

  test("of a new cluster is a value that may be sent back", async () => {
    const id = await newCluster();
    const initial = await found(find, field, id) as string;
    expect(await change(update, field, id, atob(initial))).toMatchObject({ code: 200 });
  });

  test("of a cluster that is not there is absent, and cannot be changed", async () => {
    expect(await found(find, field, 9999n) ?? "").toBe("");
    for (const sent of [value, ""]) expect(await change(update, field, 9999n, sent)).toMatchObject({ code: 404 });
  });
});

test("a new cluster listens on port 53, without TLS and DNS over HTTPS", async () => {
  const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId: await newCluster() });
  expect(json(nsCluster!.tcpJSON)).toMatchObject({ isOn: true, listen: [{ protocol: "tcp", portRange: "53" }] });
  expect(json(nsCluster!.udpJSON)).toMatchObject({ isOn: true, listen: [{ protocol: "udp", portRange: "53" }] });
  expect(json(nsCluster!.tlsJSON)).toMatchObject({ isOn: false });
  expect(json(nsCluster!.dohJSON)).toMatchObject({ isOn: false, path: "/dns-query" });
  expect(json(nsCluster!.answerJSON)).toMatchObject({ mode: "random", maxSize: 5 });
  expect(json(nsCluster!.soaJSON)).toMatchObject({ refreshSeconds: 7200, expireSeconds: 1209600 });
});

const tcp = (limits: Answer) => ({ tcp: limits });
test.each([
  ["tcpJSON", "TCP", "no", "tcpJSON"],
  ["tcpJSON", "TCP", [], "tcpJSON"],
  ["tcpJSON", "TCP", { listen: [{ portRange: 53 }] }, "tcpJSON.listen[0].portRange"],
  ["tcpJSON", "TCP", listen("udp", "53"), 'tcpJSON.listen[0].protocol: must be one of tcp, got "udp"'],
  ["tcpJSON", "TCP", listen("tcp", "0"), "tcpJSON.listen[0].portRange: must be a port 1 to 65535"],
  ["tcpJSON", "TCP", listen("tcp", "65536"), "tcpJSON.listen[0].portRange"],
  ["tcpJSON", "TCP", listen("tcp", "60-50"), "tcpJSON.listen[0].portRange"],
  ["tcpJSON", "TCP", listen("tcp", ""), "tcpJSON.listen[0].portRange"],
  ["tcpJSON", "TCP", listen("tcp", "53", "a b"), "tcpJSON.listen[0].host: must be an IP address, a host name or empty"],
  ["tlsJSON", "TLS", listen("tcp", "853"), "tlsJSON.listen[0].protocol"],
  [
    "tlsJSON",
    "TLS",
    { sslPolicyRef: { isOn: true } },
    "tlsJSON.sslPolicyRef.sslPolicyId: must be a positive id, got 0",
  ],
  ["udpJSON", "UDP", listen("tcp", "53"), "udpJSON.listen[0].protocol"],
  ["dohJSON", "DoH", listen("http", "80"), "dohJSON.listen[0].protocol"],
  ["dohJSON", "DoH", { sslPolicyRef: { sslPolicyId: -1 } }, "dohJSON.sslPolicyRef.sslPolicyId"],
  ["dohJSON", "DoH", { path: "dns" }, "dohJSON.path: must begin with /"],
  [
    "recursionJSON",
    "RecursionConfig",
    { hosts: [{ host: "dns.example" }] },
    "recursionJSON.hosts[0].host: must be an IP",
  ],
  ["recursionJSON", "RecursionConfig", { hosts: [{ host: "1.2.3.4.5" }] }, "recursionJSON.hosts[0].host"],
  ["recursionJSON", "RecursionConfig", { hosts: [{ host: "1.1.1.1", port: 65536 }] }, "recursionJSON.hosts[0].port"],
  [
    "recursionJSON",
    "RecursionConfig",
    { hosts: [{ host: "::1", protocol: "tls" }] },
    'recursionJSON.hosts[0].protocol: must be one of udp, tcp, got "tls"',
  ],
  ["recursionJSON", "RecursionConfig", { allowDomains: ["a_b"] }, "recursionJSON.allowDomains[0]"],
  ["recursionJSON", "RecursionConfig", { denyDomains: ["a", "b/c"] }, "recursionJSON.denyDomains[1]"],
  ["answerJSON", "AnswerConfig", { mode: "hash" }, "answerJSON.mode: must be one of random, roundRobin"],
  ["answerJSON", "AnswerConfig", { maxSize: 32768 }, "answerJSON.maxSize: must be 0 or 1 to 32767, got 32768"],
  ["soaJSON", "SOAConfig", { mName: "a b" }, "soaJSON.mName"],
  ["soaJSON", "SOAConfig", { rName: "admin.example.com" }, "soaJSON.rName: must be an email address"],
  ["soaJSON", "SOAConfig", { refreshSeconds: 0 }, "soaJSON.refreshSeconds"],
  ["soaJSON", "SOAConfig", { minimumTTL: 2 ** 31 }, "soaJSON.minimumTTL: must be 0 to 2147483647"],
  ["soaJSON", "SOAConfig", { refreshSeconds: 90, expireSeconds: 60 }, "soaJSON.expireSeconds: must be at least"],
  ["soaJSON", "SOAConfig", { serial: -1 }, "soaJSON.serial"],
  ["ddosProtectionJSON", "DDoSProtection", tcp({ maxConnections: -1 }), "ddosProtectionJSON.tcp.maxConnections:"],
  [
    "ddosProtectionJSON",
    "DDoSProtection",
    tcp({ maxConnectionsPerIP: 4 }),
    "tcp.maxConnectionsPerIP: must be 0 or 5 to",
  ],
  ["ddosProtectionJSON", "DDoSProtection", tcp({ newConnectionsRate: 2 }), "tcp.newConnectionsRate: must be 0 or 3 to"],
  ["ddosProtectionJSON", "DDoSProtection", tcp({ newConnectionsSecondlyRate: 2 }), "tcp.newConnectionsSecondlyRate:"],
  ["ddosProtectionJSON", "DDoSProtection", tcp({ newConnectionsRateBlockTimeout: -1 }), "tcp.newConnectionsRateBlock"],
  [
    "ddosProtectionJSON",
    "DDoSProtection",
    tcp({ allowIPList: [{ ip: "10.0.0.256" }] }),
    "tcp.allowIPList[0].ip: must be",
  ],
  [
    "ddosProtectionJSON",
    "DDoSProtection",
    tcp({ ports: [{ port: 0 }] }),
    "tcp.ports[0].port: must be 1 to 65535, got 0",
  ],
])("%s: update%s refuses %j", async (field, update, value, message) => {
  const id = await newCluster();
  const answer = await change(update, field, id, value);
  expect(answer).toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

describe("lists", () => {
  test("answer clusters newest first, and count them", async () => {
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
  test("is refused while something uses the cluster, by name", async () => {
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

  test("takes the cluster out of everything", async () => {
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

test("findAvailableNSHostsForUser answers the hosts of the oldest cluster that is on", async () => {
  await using fresh = await testKernel({ plugins: [plugin] });
  const hosts = async () => (await fresh.call(as.user(7n), rpc.findAvailableNSHostsForUser, {})).hosts;
  expect(await hosts()).toEqual([]);
  const create = (host: string) => fresh.call(admin, rpc.createNSCluster, { name: host, hosts: [host] });
  const { nsClusterId } = await create("ns1.old.example");
  await create("ns1.new.example");
  expect(await hosts()).toEqual(["ns1.old.example"]);
  await fresh.call(admin, rpc.updateNSCluster, { nsClusterId, name: "old", isOn: false });
  expect(await hosts()).toEqual(["ns1.new.example"]);
  const byAdmin = await fresh.call(admin, rpc.findAvailableNSHostsForUser, { userId: 7n });
  expect(byAdmin.hosts).toEqual(["ns1.new.example"]);
  expect((await fresh.call(admin, rpc.countAllNSClustersWithSSLCertId, { sslCertId: 9n })).count).toBe(0n);
});

describe("the contract", () => {
  test("requires, marks and sums up clusters for other plugins", async () => {
    const id = await newCluster();
    const call = edgehelm.kernel.systemCall("test");
    expect(await clusters.requireCluster(call, "nsClusterId", id)).toEqual({ id, name: "main", isOn: true, hosts: [] });
    await expect(clusters.requireCluster(call, "nsClusterId", 9999n))
      .rejects.toMatchObject({ message: "nsClusterId: DNS cluster 9999 does not exist" });
    const before = await version(id);
    await call.transact((inner) => clusters.markChanged(inner, id, "a domain was created"));
    expect(await version(id)).toBe(before! + 1n);
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
