import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, invalid, jsonBytes } from "edgehelm";
import type { HTTPFirewallRuleGroups } from "../http_firewall_rule_group/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { HTTPFirewallPolicies, HTTPFirewallPolicySummary } from "./contract.ts";
import { groupIdsOf, inboundOf, outboundOf } from "./groups.ts";
import { optionsOf, policyOptions } from "./options.ts";
import { HTTPFirewallPolicyConfigSchema } from "./proto/shapes_pb.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

/** What stands around policies. */
export interface Neighbours {
  readonly groups: HTTPFirewallRuleGroups;
  readonly clusters: NodeClusters | undefined;
  readonly servers: Servers | undefined;
}

/** Policies together with their surroundings: groups inside, clusters and servers outside. */
export class Policies implements HTTPFirewallPolicies {
  readonly #store: PolicyStore;
  readonly #neighbours: Neighbours;

  constructor(store: PolicyStore, neighbours: Neighbours) {
    this.#store = store;
    this.#neighbours = neighbours;
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
    const groups = await this.#neighbours.groups.configs(call, groupIdsOf(row));
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
      inbound: { ...unmade(inbound), groups: expand(inbound.groupRefs) },
      outbound: { ...unmade(outbound), groups: expand(outbound.groupRefs) },
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

  /** Tells the clusters that use these policies, and the servers that they belong to, to fetch them again. */
  async changed(call: Call, policyIds: readonly bigint[]): Promise<void> {
    const { clusters, servers } = this.#neighbours;
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

  /** Whether the group is in a policy that belongs to a server of the user. */
  async isOnSiteOf(call: Call, groupId: bigint, userId: bigint): Promise<boolean> {
    const rows = await this.#store.withGroups.all(call, { groupIds: [groupId] });
    const policies = await this.#store.summaries.all(call, { ids: rows.map(({ policyId }) => policyId) });
    const serverIds = policies.map(({ serverId }) => serverId).filter((id) => id !== 0n);
    const servers = serverIds.length === 0 ? undefined : await this.#neighbours.servers?.summaries(call, serverIds);
    return [...servers?.values() ?? []].some((server) => server.userId === userId);
  }

  /** Says that nodes must fetch the policies with these groups again. */
  async groupsChanged(call: Call, groupIds: readonly bigint[]): Promise<void> {
    const rows = await this.#store.withGroups.all(call, { groupIds: [...groupIds] });
    await this.changed(call, rows.map(({ policyId }) => policyId));
  }
}

/** The fields of a message, to make another one of. */
function unmade<Message extends { readonly $typeName: string }>(message: Message): Omit<Message, "$typeName"> {
  const { $typeName: _, ...fields } = message;
  return fields;
}
