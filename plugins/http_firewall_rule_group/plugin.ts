import { definePlugin, type Plugin } from "edgehelm";
import {
  HTTPFirewallRuleSetListeners,
  HTTPFirewallRuleSetReferrers,
  HTTPFirewallRuleSets,
} from "../http_firewall_rule_set/contract.ts";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { HTTPFirewallRuleGroupListeners, HTTPFirewallRuleGroupReferrers, HTTPFirewallRuleGroups } from "./contract.ts";
import { errors } from "./errors.ts";
import { ruleGroupHandlers } from "./handlers.ts";
import * as createRuleGroups from "./migrations/0001_create_http_firewall_rule_groups.ts";
import manifest from "./plugin.json" with { type: "json" };
import { RuleGroups, setRefs } from "./rule_groups.ts";
import { HTTPFirewallRuleGroupService } from "./proto/service_http_firewall_rule_group_pb.ts";
import { ruleGroupStore, SET_REFERENCES, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_http_firewall_rule_groups": createRuleGroups },
  requires: { sets: HTTPFirewallRuleSets },
  setup({ db, deps: { sets }, serve, provide, contribute, contributions }) {
    const store = ruleGroupStore(db<Tables>(), {
      referrers: contributions(HTTPFirewallRuleGroupReferrers),
      taken: (call, row, field, taker) => sets.take(call, setRefs(row).map(({ setId: id }) => ({ field, id })), taker),
    });
    const groups = new RuleGroups(store, sets, contributions(HTTPFirewallRuleGroupListeners));
    serve(HTTPFirewallRuleGroupService, ruleGroupHandlers(store, groups, sets));
    provide(HTTPFirewallRuleGroups, groups);
    contribute(HTTPFirewallRuleSetReferrers, store.referrer(SET_REFERENCES));
    contribute(HTTPFirewallRuleSetListeners, { changed: (call, setIds) => groups.setsChanged(call, setIds) });
    contribute(UserRemovals, userRemoval(store.someOfUser, (call, ids) => groups.remove(call, ids)));
  },
});
export default plugin;
