import { as } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { HTTPFirewallPolicyService } from "../../../plugins/http_firewall_policy/proto/service_http_firewall_policy_pb.ts";
import { HTTPFirewallRuleGroupService } from "../../../plugins/http_firewall_rule_group/proto/service_http_firewall_rule_group_pb.ts";
import { type FirewallRig, firewallRig, json } from "./firewall_rig.ts";

export const rpc = HTTPFirewallPolicyService.method;
export const admin = as.admin();

export let rig: FirewallRig;

/** Opens the rig before the tests of a file, resets it before each, and closes it after them. */
export function useRig(): void {
  beforeAll(async () => {
    rig = await firewallRig();
  });
  afterAll(() => rig.edgehelm[Symbol.asyncDispose]());
  beforeEach(() => {
    rig.policyOfCluster.clear();
    rig.changedClusters.length = 0;
    rig.changedServers.length = 0;
  });
}

export async function create(name: string, overrides: object = {}): Promise<bigint> {
  const request = { name, isOn: true, ...overrides };
  return (await rig.edgehelm.call(admin, rpc.createEmptyHTTPFirewallPolicy, request)).httpFirewallPolicyId;
}

export async function createGroup(name: string): Promise<bigint> {
  const { createHTTPFirewallRuleGroup } = HTTPFirewallRuleGroupService.method;
  return (await rig.edgehelm.call(admin, createHTTPFirewallRuleGroup, { name, isOn: true })).firewallRuleGroupId;
}

export async function configOf(httpFirewallPolicyId: bigint) {
  const response = await rig.edgehelm.call(admin, rpc.findEnabledHTTPFirewallPolicyConfig, { httpFirewallPolicyId });
  return json(response.httpFirewallPolicyJSON);
}
