import { definePlugin, invalid } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { NSClusters, NSClusterSSLPolicies, NSClusterUses } from "../../../plugins/ns_cluster/contract.ts";
import plugin from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";

export const rpc = NSClusterService.method;
export const admin = as.admin();
export const usedBy = new Map<bigint, string[]>();
export let clusters: NSClusters;

export const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["ns_cluster.ssl_policies", "ns_cluster.uses"],
  },
  requires: { clusters: NSClusters },
  setup({ deps, contribute }) {
    clusters = deps.clusters;
    contribute(NSClusterUses, {
      referencesTo: (_call, id, limit) => Promise.resolve((usedBy.get(id) ?? []).slice(0, limit)),
    });
    // The policies 31 and 32 contain the certificate 9.
    contribute(NSClusterSSLPolicies, {
      requirePolicy: (_call, field, id) =>
        id < 100n ? Promise.resolve() : Promise.reject(invalid(field, `policy ${id} does not exist`)),
      policiesWithCertificate: (_call, sslCertId) => Promise.resolve(sslCertId === 9n ? [31n, 32n] : []),
    });
  },
});

export let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, probe] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}

export function json(value: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(value));
}

export async function newCluster(): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNSCluster, { name: "main" })).nsClusterId;
}

export async function version(id: bigint): Promise<bigint | undefined> {
  return (await clusters.configVersions(edgehelm.kernel.systemCall("test"), [id])).get(id);
}

export const listen = (protocol: string, portRange: string, host = "") => ({
  isOn: true,
  listen: [{ protocol, host, portRange }],
});
/** The find and update operations of each configuration, with a valid value. */
export const CONFIGS = [
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

type JSONObject = Record<string, unknown>;
interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: JSONObject;
}

async function post(operation: string, body: JSONObject): Promise<Envelope> {
  return await edgehelm.post(`/NSClusterService/${operation}`, body, admin) as never;
}

export function base64(value: Uint8Array): string {
  return btoa(String.fromCharCode(...value));
}

export async function find(operation: string, field: string, nsClusterId: bigint): Promise<unknown> {
  const { data } = await post(`findNSCluster${operation}`, { nsClusterId: Number(nsClusterId) });
  return data[field === "accessLogJSON" ? "AccessLogJSON" : field];
}

export async function change(update: string, field: string, nsClusterId: bigint, value: unknown) {
  const body = { nsClusterId: Number(nsClusterId), [field]: base64(bytes(value)) };
  return await post(`updateNSCluster${update}`, body);
}
