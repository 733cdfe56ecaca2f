import { expect, test } from "vitest";
import { type FirewallRig, firewallRig } from "./firewall_rig.ts";
import { admin, rpc } from "./policy_rig.ts";

test("policies are listed, filtered and counted", async () => {
  await using fresh = await freshRig();
  const { edgehelm, policyOfCluster } = fresh.rig;
  const ids: bigint[] = [];
  for (const name of ["East", "west", "Northwest"]) {
    ids.push((await edgehelm.call(admin, rpc.createEmptyHTTPFirewallPolicy, { name })).httpFirewallPolicyId);
  }
  policyOfCluster.set(9n, ids[1]!);
  const namesOf = async (request: object) => {
    const { httpFirewallPolicies } = await edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, request);
    const { count } = await edgehelm.call(admin, rpc.countAllEnabledHTTPFirewallPolicies, request);
    expect(count).toBe(BigInt(httpFirewallPolicies.length));
    return httpFirewallPolicies.map(({ name }) => name);
  };
  expect(await namesOf({})).toEqual(["Northwest", "west", "East"]);
  expect(await namesOf({ keyword: "WEST" })).toEqual(["Northwest", "west"]);
  expect(await namesOf({ nodeClusterId: 9n })).toEqual(["west"]);
  expect(await namesOf({ nodeClusterId: 9n, keyword: "east" })).toEqual([]);
  expect(await namesOf({ nodeClusterId: 8n })).toEqual([]);
  const { httpFirewallPolicies } = await edgehelm.call(admin, rpc.listEnabledHTTPFirewallPolicies, {
    offset: 1n,
    size: 1n,
  });
  expect(httpFirewallPolicies.map(({ name }) => name)).toEqual(["west"]);
  const { firewallPolicies } = await edgehelm.call(admin, rpc.findAllEnabledHTTPFirewallPolicies, {});
  expect(firewallPolicies.map(({ id }) => id)).toEqual([...ids].reverse());
});

async function freshRig(): Promise<AsyncDisposable & { rig: FirewallRig }> {
  const rig = await firewallRig();
  return { rig, [Symbol.asyncDispose]: () => rig.edgehelm[Symbol.asyncDispose]() };
}
