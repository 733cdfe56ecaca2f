import { describe, expect, test } from "vitest";
import { admin, bytes, changedClusters, configOf, create, edgehelm, policyOfCluster, rpc, useKernel } from "./rig.ts";

useKernel();

describe("updateHTTPCachePolicy", () => {
  test("keeps JSON fields that are empty, and marks the clusters that use the policy for update", async () => {
    const id = await create("before", { capacityJSON: bytes({ count: 3, unit: "gb" }) });
    policyOfCluster.set(1n, id).set(2n, id);
    changedClusters.length = 0;
    const request = { httpCachePolicyId: id, name: "after", type: "memory", description: "for pictures" };
    await edgehelm.call(admin, rpc.updateHTTPCachePolicy, request);
    expect(await configOf(id)).toMatchObject({
      name: "after",
      isOn: false,
      description: "for pictures",
      capacity: { count: 3, unit: "gb" },
    });
    expect(changedClusters).toEqual([1n, 2n]);
    policyOfCluster.clear();
  });

  test("a change to type file requires a directory, which later updates keep", async () => {
    const id = await create("moves");
    const request = { httpCachePolicyId: id, name: "moves", type: "file" };
    await expect(edgehelm.call(admin, rpc.updateHTTPCachePolicy, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining("optionsJSON.dir") });
    await edgehelm.call(admin, rpc.updateHTTPCachePolicy, { ...request, optionsJSON: bytes({ dir: "/data" }) });
    await edgehelm.call(admin, rpc.updateHTTPCachePolicy, { ...request, name: "moved" });
    expect(await configOf(id)).toMatchObject({ name: "moved", options: { dir: "/data" } });
  });

  test("refuses an unknown policy", async () => {
    const request = { httpCachePolicyId: 999n, name: "none", type: "memory" };
    await expect(edgehelm.call(admin, rpc.updateHTTPCachePolicy, request))
      .rejects.toMatchObject({ code: 404, reason: "http_cache_policy.not_found" });
  });
});
