import { type Handlers, jsonBytes } from "edgehelm";
import { HTTPFirewallSetConfigSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";
import { findRow, rowMessage } from "edgehelm/rows";
import type { RuleSets } from "./rule_sets.ts";
import {
  HTTPFirewallRuleSetSchema,
  type HTTPFirewallRuleSetService,
} from "./proto/service_http_firewall_rule_set_pb.ts";
import type { RuleSetStore } from "./store.ts";

export function ruleSetHandlers(store: RuleSetStore, sets: RuleSets): Handlers<typeof HTTPFirewallRuleSetService> {
  return {
    async createOrUpdateHTTPFirewallRuleSetFromConfig({ firewallRuleSetConfigJSON }, call) {
      return { firewallRuleSetId: await sets.save(call, "firewallRuleSetConfigJSON", firewallRuleSetConfigJSON) };
    },

    async updateHTTPFirewallRuleSetIsOn({ firewallRuleSetId, isOn }, call) {
      const { id } = await store.require(call, "firewallRuleSetId", firewallRuleSetId);
      await store.setIsOn.run(call, { id, isOn });
      await sets.changed(call, id);
      return {};
    },

    async findEnabledHTTPFirewallRuleSetConfig({ firewallRuleSetId: id }, call) {
      if (await store.find(call, id) === undefined) return {};
      const config = (await sets.configs(call, [id])).get(id);
      return config === undefined ? {} : { firewallRuleSetJSON: jsonBytes(HTTPFirewallSetConfigSchema, config) };
    },

    findEnabledHTTPFirewallRuleSet: findRow(
      store,
      "firewallRuleSetId",
      "firewallRuleSet",
      rowMessage(HTTPFirewallRuleSetSchema, ["id", "name", "isOn", "description", "code"]),
    ),
  };
}
