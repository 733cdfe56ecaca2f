import { type Call, choiceField, type Handlers, invalid, jsonBytes, ownerOf, textField, type UseCheck } from "edgehelm";
import { countRows, findRow, pageRows, refuseWhenUsed } from "edgehelm/rows";
import { noneField, orUnchanged } from "edgehelm/fields";
import { builtInGroups, codesField } from "./built_in_groups.ts";
import { errors } from "./errors.ts";
import { FIREWALL } from "./feature.ts";
import { checkInspection, groupIdsOf, linkGroups } from "./groups.ts";
import { policyList } from "../node_cluster/contract.ts";
import { policyMessage } from "./messages.ts";
import { checkedOptions, policyOptions } from "./options.ts";
import type { PolicyOwners } from "./owners.ts";
import type { Policies, PolicyDeps } from "./policies.ts";
import type {
  CreateEmptyHTTPFirewallPolicyRequest,
  HTTPFirewallPolicyService,
} from "./proto/service_http_firewall_policy_pb.ts";
import { HTTPFirewallInboundSchema, HTTPFirewallOutboundSchema } from "./proto/shapes_pb.ts";
import { FIREWALL_POLICIES } from "./quota.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

const MODES = ["defend", "observe", "bypass"] as const;
const NULL_JSON = new TextEncoder().encode("null");
const MAX_HTML_LENGTH = 65_536;
const NO_OUTBOUND_GROUPS = jsonBytes(HTTPFirewallOutboundSchema, { isOn: true });

export interface Deps {
  readonly store: PolicyStore;
  readonly policies: Policies;
  readonly owners: PolicyOwners;
  readonly contracts: PolicyDeps;
  readonly uses: readonly UseCheck[];
}

export function policyHandlers(
  { store, policies, owners, contracts, uses }: Deps,
): Handlers<typeof HTTPFirewallPolicyService> {
  const { groups, clusters, servers, quotas } = contracts;
  const list = policyList(store.list, async (call, { nodeClusterId }) => {
    return await store.find(call, await clusters?.policyOf(call, "http_firewall_policy", nodeClusterId) ?? 0n);
  });

  async function create(
    call: Call,
    { isOn, name, description, serverId, serverGroupId }: Omit<CreateEmptyHTTPFirewallPolicyRequest, "$typeName">,
    groupIds: readonly bigint[],
  ): Promise<{ httpFirewallPolicyId: bigint }> {
    const userId = ownerOf(call, 0n);
    await quotas?.require(call, FIREWALL_POLICIES, userId, 1, async () => {
      return (await store.countOfUser.one(call, { userId })).count;
    });
    if (serverId !== 0n) {
      if (servers === undefined) throw invalid("serverId", `server ${serverId} does not exist`);
      await servers.requireOwned(call, serverId);
      await servers.requireFeature(call, "serverId", serverId, FIREWALL);
    }
    noneField("serverGroupId", serverGroupId);
    const groupRefs = groupIds.map((groupId) => ({ isOn: true, groupId }));
    const inspection = {
      inboundJSON: jsonBytes(HTTPFirewallInboundSchema, { isOn: true, groupRefs }),
      outboundJSON: NO_OUTBOUND_GROUPS,
    };
    const { id } = await store.insert.one(call, {
      isOn,
      name: textField("name", name, { min: 1 }),
      description: textField("description", description, { max: 1000 }),
      serverId,
      serverGroupId,
      userId,
      ...inspection,
    });
    await linkGroups(call, store, id, inspection);
    return { httpFirewallPolicyId: id };
  }

  async function updateGroups(
    call: Call,
    policyId: bigint,
    requested: Pick<PolicyRow, "inboundJSON" | "outboundJSON">,
  ) {
    const row = await owners.require(call, policyId);
    if (row.serverId !== 0n) await servers?.requireFeature(call, "httpFirewallPolicyId", row.serverId, FIREWALL);
    await checkInspection(call, groups, requested, await owners.ownerOf(call, row));
    const inspection = {
      inboundJSON: orUnchanged(requested.inboundJSON, row.inboundJSON),
      outboundJSON: orUnchanged(requested.outboundJSON, row.outboundJSON),
    };
    await store.setGroups.run(call, { id: row.id, ...inspection });
    await linkGroups(call, store, row.id, inspection);
    await policies.changed(call, [row.id]);
    return {};
  }

  return {
    async createHTTPFirewallPolicy(request, call) {
      const codes = codesField("httpFirewallGroupCodes", request.httpFirewallGroupCodes);
      const taker = { userId: await owners.ownerOf(call, { ...request, userId: ownerOf(call, 0n) }) };
      const groupIds: bigint[] = [];
      for (const group of builtInGroups(codes)) groupIds.push(await groups.createBuiltIn(call, group, taker));
      return await create(call, request, groupIds);
    },

    createEmptyHTTPFirewallPolicy: (request, call) => create(call, request, []),

    async updateHTTPFirewallPolicy(request, call) {
      const row = await store.require(call, "httpFirewallPolicyId", request.httpFirewallPolicyId);
      const codes = codesField("firewallGroupCodes", request.firewallGroupCodes);
      const { maxRequestBodySize } = request;
      if (maxRequestBodySize < 0n) {
        throw invalid("maxRequestBodySize", `must not be negative, got ${maxRequestBodySize}`);
      }
      const { block, captcha, page, jsCookie, synFlood, log } = policyOptions;
      await store.update.run(call, {
        id: row.id,
        isOn: request.isOn,
        name: textField("name", request.name, { min: 1 }),
        description: textField("description", request.description, { max: 1000 }),
        mode: request.mode === "" ? "defend" : choiceField("mode", request.mode, MODES),
        useLocalFirewall: request.useLocalFirewall,
        maxRequestBodySize,
        denyCountryHTML: textField("denyCountryHTML", request.denyCountryHTML, { max: MAX_HTML_LENGTH }),
        denyProvinceHTML: textField("denyProvinceHTML", request.denyProvinceHTML, { max: MAX_HTML_LENGTH }),
        blockOptionsJSON: checkedOptions(block, request.blockOptionsJSON, row.blockOptionsJSON),
        captchaOptionsJSON: checkedOptions(captcha, request.captchaOptionsJSON, row.captchaOptionsJSON),
        pageOptionsJSON: checkedOptions(page, request.pageOptionsJSON, row.pageOptionsJSON),
        jsCookieOptionsJSON: checkedOptions(jsCookie, request.jsCookieOptionsJSON, row.jsCookieOptionsJSON),
        synFloodJSON: checkedOptions(synFlood, request.synFloodJSON, row.synFloodJSON),
        logJSON: checkedOptions(log, request.LogJSON, row.logJSON),
      });
      await groups.switchBuiltIn(call, groupIdsOf(row), codes);
      await policies.changed(call, [row.id]);
      return {};
    },

    updateHTTPFirewallPolicyGroups: ({ httpFirewallPolicyId, inboundJSON, outboundJSON }, call) =>
      updateGroups(call, httpFirewallPolicyId, { inboundJSON, outboundJSON }),

    updateHTTPFirewallInboundConfig: ({ httpFirewallPolicyId, inboundJSON }, call) =>
      updateGroups(call, httpFirewallPolicyId, { inboundJSON, outboundJSON: new Uint8Array() }),

    async deleteHTTPFirewallPolicy({ httpFirewallPolicyId }, call) {
      const { id } = await store.require(call, "httpFirewallPolicyId", httpFirewallPolicyId);
      await refuseWhenUsed(call, id, uses, (names) => errors.in_use(id, names));
      await policies.changed(call, [id]);
      await removePolicies(call, store, [id]);
      return {};
    },

    async findAllEnabledHTTPFirewallPolicies(_request, call) {
      const rows = await store.all.all(call, {});
      return { firewallPolicies: rows.map((row) => ({ ...row, isOn: row.isOn === 1n })) };
    },

    countAllEnabledHTTPFirewallPolicies: countRows(list),
    listEnabledHTTPFirewallPolicies: pageRows(list, "httpFirewallPolicies", policyMessage),

    async findEnabledHTTPFirewallPolicyConfig({ httpFirewallPolicyId }, call) {
      const row = await owners.find(call, httpFirewallPolicyId);
      return { httpFirewallPolicyJSON: row === undefined ? NULL_JSON : await policies.config(call, row.id) };
    },

    findEnabledHTTPFirewallPolicy: findRow(owners, "httpFirewallPolicyId", "httpFirewallPolicy", policyMessage),

    async findServerIdWithHTTPFirewallPolicyId({ httpFirewallPolicyId }, call) {
      return { serverId: (await owners.find(call, httpFirewallPolicyId))?.serverId ?? 0n };
    },
  };
}

/** Deletes policies with their links to groups. */
export async function removePolicies(call: Call, store: PolicyStore, ids: readonly bigint[]): Promise<void> {
  for (const id of ids) {
    await store.remove.run(call, { id });
    await store.unlink.run(call, { policyId: id });
  }
}
