import { describe, expect, test } from "vitest";
import {
  admin,
  base64,
  bytes,
  change,
  CONFIGS,
  edgehelm,
  find,
  json,
  listen,
  newCluster,
  rpc,
  version,
} from "./rig.ts";

describe.each(CONFIGS)("%s", (field, findOperation, update, value) => {
  test("is returned unchanged and increments the version of the cluster", async () => {
    const id = await newCluster();
    const before = await version(id);
    expect(await change(update, field, id, value)).toMatchObject({ code: 200 });
    expect(await find(findOperation, field, id)).toBe(base64(bytes(value)));
    expect(await version(id)).toBe(before! + 1n);
  });

  test("is left unchanged by empty bytes", async () => {
    const id = await newCluster();
    await change(update, field, id, value);
    const before = await version(id);
    expect(await change(update, field, id, "")).toMatchObject({ code: 200 });
    expect(await find(findOperation, field, id)).toBe(base64(bytes(value)));
    expect(await version(id)).toBe(before);
  });

  test("of a new cluster is a valid value", async () => {
    const id = await newCluster();
    const initial = await find(findOperation, field, id) as string;
    expect(await change(update, field, id, atob(initial))).toMatchObject({ code: 200 });
  });

  test("of a cluster that does not exist is absent and cannot be changed", async () => {
    expect(await find(findOperation, field, 9999n) ?? "").toBe("");
    for (const sent of [value, ""]) expect(await change(update, field, 9999n, sent)).toMatchObject({ code: 404 });
  });
});

test("a new cluster listens on port 53 and has DNS over TLS and DNS over HTTPS turned off", async () => {
  const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId: await newCluster() });
  expect(json(nsCluster!.tcpJSON)).toMatchObject({ isOn: true, listen: [{ protocol: "tcp", portRange: "53" }] });
  expect(json(nsCluster!.udpJSON)).toMatchObject({ isOn: true, listen: [{ protocol: "udp", portRange: "53" }] });
  expect(json(nsCluster!.tlsJSON)).toMatchObject({ isOn: false });
  expect(json(nsCluster!.dohJSON)).toMatchObject({ isOn: false, path: "/dns-query" });
  expect(json(nsCluster!.answerJSON)).toMatchObject({ mode: "random", maxSize: 5 });
  expect(json(nsCluster!.soaJSON)).toMatchObject({ refreshSeconds: 7200, expireSeconds: 1209600 });
});

const tcp = (limits: Record<string, unknown>) => ({ tcp: limits });
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
  const response = await change(update, field, id, value);
  expect(response).toMatchObject({ code: 400, message: expect.stringContaining(message) });
});
