import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, invalid, jsonBytes } from "edgehelm";
import type { HTTPFirewallRuleGroups } from "../http_firewall_rule_group/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import type { HTTPFirewallPolicies, HTTPFirewallPolicySummary } from "./contract.ts";
import { groupIdsOf, inboundOf, outboundOf } from "./groups.ts";
import { optionsOf, policyOptions } from "./options.ts";
import { HTTPFirewallPolicyConfigSchema } from "./proto/shapes_pb.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

/** The contracts on which policies depend. */
export interface PolicyDeps {
  readonly groups: HTTPFirewallRuleGroups;
  readonly clusters: NodeClusters | undefined;
  readonly servers: Servers | undefined;
  readonly quotas: UserQuotas | undefined;
}

/** Manages policies with their groups, and notifies the clusters and servers that use them. */
export class Policies implements HTTPFirewallPolicies {
  readonly #store: PolicyStore;
  readonly #deps: PolicyDeps;

  constructor(store: PolicyStore, deps: PolicyDeps) {
    this.#store = store;
    this.#deps = deps;
  }

  async summaries(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, HTTPFirewallPolicySummary>> {
    const rows = await this.#store.summaries.all(call, { ids: [...ids] });
    return new Map(rows.map(({ id, name, isOn }) => [id, { id, name, isOn: isOn === 1n }]));
  }

  async requirePolicy(call: Call, field: string, id: bigint): Promise<void> {
    if ((await this.summaries(call, [id])).size === 0) throw invalid(field, `firewall policy ${id} does not exist`);
  }

  async config(call: Call, id: bigint): Promise<Uint8Array | undefined> {
    const row = await this.#store.byId.first(call, { id });
    return row === undefined ? undefined : jsonBytes(HTTPFirewallPolicyConfigSchema, await this.#configOf(call, row));
  }

  async #configOf(call: Call, row: PolicyRow): Promise<MessageInitShape<typeof HTTPFirewallPolicyConfigSchema>> {
    const groups = await this.#deps.groups.configs(call, groupIdsOf(row));
    const expand = (refs: readonly { groupId: bigint }[]) => refs.flatMap(({ groupId }) => groups.get(groupId) ?? []);
    const { id, name, description, mode, maxRequestBodySize, denyCountryHTML, denyProvinceHTML } = row;
    const inbound = inboundOf(row);
    const outbound = outboundOf(row);
    const blockOptions = optionsOf(policyOptions.block, row);
    const captchaOptions = optionsOf(policyOptions.captcha, row);
    const pageOptions = optionsOf(policyOptions.page, row);
    const jsCookieOptions = optionsOf(policyOptions.jsCookie, row);
    const synFlood = optionsOf(policyOptions.synFlood, row);
    const log = optionsOf(policyOptions.log, row);
    return {
      id,
      isOn: row.isOn === 1n,
      name,
      description,
      inbound: { ...fieldsOf(inbound), groups: expand(inbound.groupRefs) },
      outbound: { ...fieldsOf(outbound), groups: expand(outbound.groupRefs) },
      ...(blockOptions && { blockOptions }),
      ...(captchaOptions && { captchaOptions }),
      ...(pageOptions && { pageOptions }),
      ...(jsCookieOptions && { jsCookieOptions }),
      mode,
      useLocalFirewall: row.useLocalFirewall === 1n,
      ...(synFlood && { synFlood }),
      ...(log && { log }),
      maxRequestBodySize,
      denyCountryHTML,
      denyProvinceHTML,
    };
  }

  /** Marks the clusters that use the policies, and the servers that they belong to, for update. */
  async changed(call: Call, policyIds: readonly bigint[]): Promise<void> {
    const { clusters, servers } = this.#deps;
    const clusterIds = new Set<bigint>();
    for (const id of policyIds) {
      for (const cluster of await clusters?.usingPolicy(call, "http_firewall_policy", id) ?? []) {
        clusterIds.add(cluster.id);
      }
    }
    if (clusterIds.size > 0) await clusters?.configChanged(call, [...clusterIds]);
    const rows = servers === undefined ? [] : await this.#store.summaries.all(call, { ids: [...policyIds] });
    const serverIds = [...new Set(rows.map(({ serverId }) => serverId))].filter((id) => id !== 0n);
    if (serverIds.length > 0) await servers?.configChanged(call, serverIds);
  }

  /** Marks the clusters and servers of the policies that contain the groups for update. */
  async groupsChanged(call: Call, groupIds: readonly bigint[]): Promise<void> {
    const rows = await this.#store.withGroups.all(call, { groupIds: [...groupIds] });
    await this.changed(call, rows.map(({ policyId }) => policyId));
  }
}

/** Returns the fields of a message, from which another one can be created. */
function fieldsOf<Message extends { readonly $typeName: string }>(message: Message): Omit<Message, "$typeName"> {
  const { $typeName: _, ...fields } = message;
  return fields;
}
