import { type Call, type Handlers, invalid, jsonBytes, ownerOf } from "edgehelm";
import { findRow, rowMessage } from "edgehelm/rows";
import { jsonListBytes } from "edgehelm/wire";
import { HTTPFirewallGroupConfigSchema, HTTPFirewallSetRefSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";
import type { HTTPFirewallRuleSets } from "../http_firewall_rule_set/contract.ts";
import { type RuleGroups, setRefs } from "./rule_groups.ts";
import { fieldsOf, MAX_SETS, setRefsField } from "./rules.ts";
import {
  HTTPFirewallRuleGroupSchema,
  type HTTPFirewallRuleGroupService,
} from "./proto/service_http_firewall_rule_group_pb.ts";
import type { RuleGroupStore } from "./store.ts";

const NO_SETS = jsonListBytes(HTTPFirewallSetRefSchema, []);

export function ruleGroupHandlers(
  store: RuleGroupStore,
  groups: RuleGroups,
  sets: HTTPFirewallRuleSets,
): Handlers<typeof HTTPFirewallRuleGroupService> {
  const requireGroup = (call: Call, id: bigint) => store.require(call, "firewallRuleGroupId", id);

  return {
    async createHTTPFirewallRuleGroup(request, call) {
      const group = { userId: ownerOf(call, 0n), ...fieldsOf(request), setRefsJSON: NO_SETS, isTemplate: false };
      const { id } = await store.insert.one(call, group);
      return { firewallRuleGroupId: id };
    },

    async updateHTTPFirewallRuleGroup(request, call) {
      const { id } = await requireGroup(call, request.firewallRuleGroupId);
      await store.update.run(call, { id, ...fieldsOf(request) });
      await groups.changed(call, [id]);
      return {};
    },

    async updateHTTPFirewallRuleGroupIsOn({ firewallRuleGroupId, isOn }, call) {
      const { id } = await requireGroup(call, firewallRuleGroupId);
      await store.setIsOn.run(call, { id, isOn });
      await groups.changed(call, [id]);
      return {};
    },

    async updateHTTPFirewallRuleGroupSets({ firewallRuleGroupId, firewallRuleSetsJSON }, call) {
      const row = await requireGroup(call, firewallRuleGroupId);
      const references = setRefsField("firewallRuleSetsJSON", firewallRuleSetsJSON);
      if (firewallRuleSetsJSON.length === 0) return {};
      const current = new Set(setRefs(row).map(({ setId }) => setId));
      const added = references.filter(({ setId }) => !current.has(setId));
      await sets.take(call, added.map(({ field, setId }) => ({ field, id: setId })), { userId: row.userId });
      await groups.replaceSets(call, row.id, firewallRuleSetsJSON);
      return {};
    },

    async addHTTPFirewallRuleGroupSet({ firewallRuleGroupId, firewallRuleSetConfigJSON }, call) {
      const row = await requireGroup(call, firewallRuleGroupId);
      const refs = setRefs(row);
      if (refs.length >= MAX_SETS) throw invalid("firewallRuleGroupId", `must have at most ${MAX_SETS} sets`);
      const setId = await sets.save(call, "firewallRuleSetConfigJSON", firewallRuleSetConfigJSON);
      if (refs.some((ref) => ref.setId === setId)) return {};
      await sets.take(call, [{ field: "firewallRuleSetConfigJSON.id", id: setId }], { userId: row.userId });
      await groups.replaceSets(call, row.id, jsonListBytes(HTTPFirewallSetRefSchema, [...refs, { isOn: true, setId }]));
      return {};
    },

    async findEnabledHTTPFirewallRuleGroupConfig({ firewallRuleGroupId: id }, call) {
      if (await store.find(call, id) === undefined) return {};
      const config = (await groups.configs(call, [id])).get(id);
      return config === undefined ? {} : { firewallRuleGroupJSON: jsonBytes(HTTPFirewallGroupConfigSchema, config) };
    },

    findEnabledHTTPFirewallRuleGroup: findRow(
      store,
      "firewallRuleGroupId",
      "firewallRuleGroup",
      rowMessage(HTTPFirewallRuleGroupSchema, ["id", "name", "isOn", "description", "code"]),
    ),
  };
}
