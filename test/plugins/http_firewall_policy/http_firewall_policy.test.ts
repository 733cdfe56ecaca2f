import { expect, test } from "vitest";
import { bytes } from "./firewall_rig.ts";
import { admin, configOf, rig, rpc, useRig } from "./policy_rig.ts";

useRig();

test("an admin creates a policy, assigns it to a cluster, updates and deletes it", async () => {
  const request = { isOn: true, name: "main", httpFirewallGroupCodes: ["xss", "sqlInjection"] };
  const { httpFirewallPolicyId } = await rig.edgehelm.call(admin, rpc.createHTTPFirewallPolicy, request);
  const switches = async () =>
    (await configOf(httpFirewallPolicyId)).inbound.groups
      .map(({ code, isOn }: { code: string; isOn: boolean }) => `${code} ${isOn ? "on" : "off"}`);
  expect(await switches()).toEqual(["xss on", "sqlInjection on", "upload off", "lfi off"]);
  const { inbound: { groups: [xss] }, outbound, mode } = await configOf(httpFirewallPolicyId);
  expect(xss).toMatchObject({
    isTemplate: true,
    sets: [{
      isOn: true,
      actions: [{ code: "block" }],
      rules: [{ isOn: true, param: "${requestAll}", operator: "contains xss" }],
    }],
  });
  expect(outbound).toEqual({ isOn: true, groupRefs: [], groups: [] });
  expect(mode).toBe("defend");

  rig.policyOfCluster.set(3n, httpFirewallPolicyId);
  await rig.edgehelm.call(admin, rpc.updateHTTPFirewallPolicy, {
    httpFirewallPolicyId,
    isOn: true,
    name: "watching",
    firewallGroupCodes: ["lfi"],
    mode: "observe",
    blockOptionsJSON: bytes({ statusCode: 403, body: "no", timeout: 60 }),
    synFloodJSON: bytes({ isOn: true, minAttempts: 10 }),
    LogJSON: bytes({ isOn: true, requestBody: true }),
    maxRequestBodySize: 4096n,
  });
  expect(rig.changedClusters).toEqual([3n]);
  expect(await switches()).toEqual(["xss off", "sqlInjection off", "upload off", "lfi on"]);
  expect(await configOf(httpFirewallPolicyId)).toMatchObject({
    name: "watching",
    mode: "observe",
    blockOptions: { statusCode: 403, body: "no", timeout: 60, timeoutMax: 0, url: "", scope: "" },
    synFlood: { isOn: true, minAttempts: 10, timeoutSeconds: 0, ignoreLocal: false },
    log: { isOn: true, requestBody: true, regionDenying: false },
    maxRequestBodySize: 4096,
  });

  await expect(rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId })).rejects.toMatchObject({
    code: 409,
    reason: "http_firewall_policy.in_use",
    message: `firewall policy ${httpFirewallPolicyId} is used by cluster "cluster 3"`,
  });
  rig.policyOfCluster.clear();
  await rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId });
  expect(await configOf(httpFirewallPolicyId)).toBeNull();
  await expect(rig.edgehelm.call(admin, rpc.deleteHTTPFirewallPolicy, { httpFirewallPolicyId }))
    .rejects.toMatchObject({ code: 404, reason: "http_firewall_policy.not_found" });
});
