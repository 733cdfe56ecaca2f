import { expect, test } from "vitest";
import { admin, create, edgehelm, parts, policyChecks, policyOfCluster, rpc, useKernel } from "./rig.ts";

useKernel();

test("deleteHTTPCachePolicy refuses a policy that a cluster uses", async () => {
  const id = await create("busy");
  policyOfCluster.set(3n, id);
  await expect(edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id })).rejects.toMatchObject({
    code: 409,
    reason: "http_cache_policy.in_use",
    message: `cache policy ${id} is used by cluster "cluster 3"`,
  });
  policyOfCluster.clear();
  await edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id });
  expect((await edgehelm.call(admin, rpc.findEnabledHTTPCachePolicy, { httpCachePolicyId: id })).httpCachePolicy)
    .toBeUndefined();
  await expect(edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id }))
    .rejects.toMatchObject({ code: 404 });
});

test("nodes receive each policy of their clusters once", async () => {
  const [one, two] = [await create("one"), await create("two")];
  policyOfCluster.set(1n, one).set(2n, two).set(3n, one);
  const [part] = parts;
  expect(part?.name).toBe("httpCachePolicies");
  const text = await part!.compose(edgehelm.kernel.systemCall("test"), { id: 1n, clusterIds: [1n, 2n, 3n, 4n] });
  expect(JSON.parse(text!).map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  policyOfCluster.clear();
  expect(await part!.compose(edgehelm.kernel.systemCall("test"), { id: 1n, clusterIds: [1n] })).toBe("[]");
});

test("a cluster can only use a policy that exists", async () => {
  const [check] = policyChecks;
  const call = edgehelm.kernel.systemCall("test");
  await check!.requirePolicy(call, "httpCachePolicyId", await create("exists"));
  await expect(check!.requirePolicy(call, "httpCachePolicyId", 999n))
    .rejects.toThrow("httpCachePolicyId: cache policy 999 does not exist");
});
