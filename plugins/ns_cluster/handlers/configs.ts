import { type Call, type Handlers, idField } from "edgehelm";
import { noneField } from "edgehelm/fields";
import { type ConfigField, configFields } from "../config_field.ts";
import type { SSLPolicyLookup } from "../contract.ts";
import { errors } from "../errors.ts";
import { configOf } from "../messages.ts";
import type { NSClusterService } from "../proto/service_ns_cluster_pb.ts";
import type { NSClusterStore } from "../store.ts";

const { accessLog, recursion, tcp, tls, udp, doh, ddosProtection, answer, soa } = configFields;

type AllHandlers = Handlers<typeof NSClusterService>;
/** An operation that returns or replaces one JSON configuration. */
export type ConfigOperation = Extract<
  keyof AllHandlers,
  `${string}${"Config" | "TCP" | "TLS" | "UDP" | "DoH" | "AccessLog" | "DDoSProtection"}`
>;

/** Implements the operations on one JSON configuration. */
export function configHandlers(
  clusters: NSClusterStore,
  sslPolicies: readonly SSLPolicyLookup[],
): Pick<AllHandlers, ConfigOperation> {
  async function requirePolicy(call: Call, column: string, sslPolicyId: bigint): Promise<void> {
    const path = `${column}.sslPolicyRef.sslPolicyId`;
    if (sslPolicies.length === 0) noneField(path, sslPolicyId);
    if (sslPolicyId === 0n) return;
    for (const lookup of sslPolicies) await lookup.requirePolicy(call, path, sslPolicyId);
  }

  async function find(call: Call, id: bigint, field: ConfigField): Promise<Uint8Array> {
    const row = await clusters.byId.first(call, { id });
    return row === undefined ? new Uint8Array() : configOf(row, field);
  }

  async function update(call: Call, nsClusterId: bigint, field: ConfigField, json: Uint8Array): Promise<object> {
    const id = idField("nsClusterId", nsClusterId);
    const sslPolicyId = field.check(json)?.sslPolicyId ?? 0n;
    await requirePolicy(call, field.column, sslPolicyId);
    const exists = json.length === 0
      ? await clusters.byId.first(call, { id }) !== undefined
      : await clusters.setConfig[field.column].run(call, { id, [field.column]: json }) > 0n;
    if (!exists) throw errors.not_found(id);
    if (json.length > 0 && (field === tls || field === doh)) {
      const key = { nsClusterId: id, configColumn: field.column };
      if (sslPolicyId > 0n) await clusters.setPolicyReference.run(call, { ...key, sslPolicyId });
      else await clusters.deletePolicyReference.run(call, key);
    }
    return {};
  }

  return {
    async findNSClusterAccessLog({ nsClusterId }, call) {
      return { AccessLogJSON: await find(call, nsClusterId, accessLog) };
    },
    updateNSClusterAccessLog: ({ nsClusterId, accessLogJSON }, call) =>
      update(call, nsClusterId, accessLog, accessLogJSON),

    async findNSClusterRecursionConfig({ nsClusterId }, call) {
      return { recursionJSON: await find(call, nsClusterId, recursion) };
    },
    updateNSClusterRecursionConfig: ({ nsClusterId, recursionJSON }, call) =>
      update(call, nsClusterId, recursion, recursionJSON),

    async findNSClusterTCPConfig({ nsClusterId }, call) {
      return { tcpJSON: await find(call, nsClusterId, tcp) };
    },
    updateNSClusterTCP: ({ nsClusterId, tcpJSON }, call) => update(call, nsClusterId, tcp, tcpJSON),

    async findNSClusterTLSConfig({ nsClusterId }, call) {
      return { tlsJSON: await find(call, nsClusterId, tls) };
    },
    updateNSClusterTLS: ({ nsClusterId, tlsJSON }, call) => update(call, nsClusterId, tls, tlsJSON),

    async findNSClusterUDPConfig({ nsClusterId }, call) {
      return { udpJSON: await find(call, nsClusterId, udp) };
    },
    updateNSClusterUDP: ({ nsClusterId, udpJSON }, call) => update(call, nsClusterId, udp, udpJSON),

    async findNSClusterDoHConfig({ nsClusterId }, call) {
      return { dohJSON: await find(call, nsClusterId, doh) };
    },
    updateNSClusterDoH: ({ nsClusterId, dohJSON }, call) => update(call, nsClusterId, doh, dohJSON),

    async findNSClusterDDoSProtection({ nsClusterId }, call) {
      return { ddosProtectionJSON: await find(call, nsClusterId, ddosProtection) };
    },
    updateNSClusterDDoSProtection: ({ nsClusterId, ddosProtectionJSON }, call) =>
      update(call, nsClusterId, ddosProtection, ddosProtectionJSON),

    async findNSClusterAnswerConfig({ nsClusterId }, call) {
      return { answerJSON: await find(call, nsClusterId, answer) };
    },
    updateNSClusterAnswerConfig: ({ nsClusterId, answerJSON }, call) => update(call, nsClusterId, answer, answerJSON),

    async findNSClusterSOAConfig({ nsClusterId }, call) {
      return { soaJSON: await find(call, nsClusterId, soa) };
    },
    updateNSClusterSOAConfig: ({ nsClusterId, soaJSON }, call) => update(call, nsClusterId, soa, soaJSON),
  };
}
