import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

test("Cache policies: created, assigned to a cluster, updated and deleted", async () => {
  await using day = await openDay();
  const { admin } = day;
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const service = "HTTPCachePolicyService";

  // A file policy requires a directory.
  const policy = { name: "disk", isOn: true, type: "file", capacityJSON: { count: 64, unit: "gb" } };
  expect(await admin.error(`${service}/createHTTPCachePolicy`, policy)).toMatchObject({ code: 400 });
  const { httpCachePolicyId } = await admin.post(`${service}/createHTTPCachePolicy`, {
    ...policy,
    optionsJSON: { dir: "/opt/cache" },
    maxSizeJSON: { count: 256, unit: "mb" },
  });
  const config = async () =>
    json((await admin.post(`${service}/findEnabledHTTPCachePolicyConfig`, { httpCachePolicyId })).httpCachePolicyJSON);
  expect((await config()).cacheRefs).toMatchObject([{
    isOn: true,
    key: "${scheme}://${host}${requestURI}",
    life: { count: 2, unit: "hour" },
    status: [200],
    simpleCond: { operator: "in", param: "${requestPathLowerExtension}" },
  }]);
  await node.pollConfig();
  expect((await node.config()).httpCachePolicies).toEqual([]);

  // A cluster uses the policy, and its nodes receive the complete configuration.
  await admin.post("NodeClusterService/updateNodeClusterHTTPCachePolicyId", { nodeClusterId, httpCachePolicyId });
  expect(await node.pollConfig()).toBe(true);
  expect((await node.config()).httpCachePolicies).toEqual([await config()]);

  // An update keeps empty JSON fields; conditions are replaced; nodes receive both changes.
  const update = { httpCachePolicyId, name: "ssd", isOn: true, type: "file", maxSizeJSON: { count: 1, unit: "gb" } };
  await admin.post(`${service}/updateHTTPCachePolicy`, update);
  expect(await node.pollConfig()).toBe(true);
  expect(await config()).toMatchObject({
    name: "ssd",
    capacity: { count: 64, unit: "gb" },
    maxSize: { count: 1, unit: "gb" },
    options: { dir: "/opt/cache" },
  });
  const images = { type: "url-extension", isRequest: true, param: "${requestPathLowerExtension}", operator: "in" };
  const key = "${host}${requestURI}";
  const refs = [{ isOn: true, key, life: { count: 1, unit: "day" }, simpleCond: { ...images, value: '[".png"]' } }];
  await admin.post(`${service}/updateHTTPCachePolicyRefs`, { httpCachePolicyId, refsJSON: refs });
  expect(await node.pollConfig()).toBe(true);
  expect((await node.config()).httpCachePolicies[0].cacheRefs).toMatchObject(refs);
  const bad = [{ isOn: true, key, simpleCond: { ...images, operator: "resembles" } }];
  expect(await admin.error(`${service}/updateHTTPCachePolicyRefs`, { httpCachePolicyId, refsJSON: bad }))
    .toMatchObject({ code: 400, message: expect.stringContaining("simpleCond.operator") });

  // The admin finds the policy by name, type and cluster.
  const second = await admin.post(`${service}/createHTTPCachePolicy`, { name: "ram", isOn: true, type: "memory" });
  const listNames = async (filter: object) => {
    const found = json((await admin.post(`${service}/listEnabledHTTPCachePolicies`, filter)).httpCachePoliciesJSON);
    expect((await admin.post(`${service}/countAllEnabledHTTPCachePolicies`, filter)).count).toBe(found.length);
    return found.map(({ name }: { name: string }) => name);
  };
  expect(await listNames({})).toEqual(["ram", "ssd"]);
  expect([await listNames({ keyword: "SS" }), await listNames({ type: "memory" }), await listNames({ nodeClusterId })])
    .toEqual([["ssd"], ["ram"], ["ssd"]]);
  expect((await admin.post(`${service}/findAllEnabledHTTPCachePolicies`)).cachePolicies)
    .toMatchObject([{ name: "ram" }, { name: "ssd" }]);
  expect((await admin.post(`${service}/findEnabledHTTPCachePolicy`, { httpCachePolicyId })).httpCachePolicy)
    .toMatchObject({ name: "ssd", isOn: true });

  // The policy can be deleted once nothing uses it.
  expect(await admin.error(`${service}/deleteHTTPCachePolicy`, { httpCachePolicyId }))
    .toMatchObject({ code: 409, message: `cache policy ${httpCachePolicyId} is used by cluster "Frankfurt"` });
  await admin.post("NodeClusterService/updateNodeClusterHTTPCachePolicyId", { nodeClusterId, ...second });
  await admin.post(`${service}/deleteHTTPCachePolicy`, { httpCachePolicyId });
  expect((await node.config()).httpCachePolicies).toMatchObject([{ name: "ram" }]);
});
