import { definePlugin, type Plugin } from "edgehelm";
import { userRemoval, UserRemovals } from "../user/contract.ts";
import { HTTPFirewallRuleSetListeners, HTTPFirewallRuleSetReferrers, HTTPFirewallRuleSets } from "./contract.ts";
import { errors } from "./errors.ts";
import { ruleSetHandlers } from "./handlers.ts";
import * as createRuleSets from "./migrations/0001_create_http_firewall_rule_sets.ts";
import manifest from "./plugin.json" with { type: "json" };
import { RuleSets } from "./rule_sets.ts";
import { HTTPFirewallRuleSetService } from "./proto/service_http_firewall_rule_set_pb.ts";
import { ruleSetStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_http_firewall_rule_sets": createRuleSets },
  setup({ db, serve, provide, contribute, contributions }) {
    const store = ruleSetStore(db<Tables>(), contributions(HTTPFirewallRuleSetReferrers));
    const sets = new RuleSets(store, contributions(HTTPFirewallRuleSetListeners));
    serve(HTTPFirewallRuleSetService, ruleSetHandlers(store, sets));
    provide(HTTPFirewallRuleSets, sets);
    contribute(UserRemovals, userRemoval(store.someOfUser, (call, ids) => sets.remove(call, ids)));
  },
});
export default plugin;
