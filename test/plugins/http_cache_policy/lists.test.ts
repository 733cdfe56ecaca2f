import { type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/http_cache_policy/plugin.ts";
import { admin, bytes, clusters, json, policyOfCluster, rpc } from "./rig.ts";

describe("lists", () => {
  let lists: TestKernel;
  const ids: bigint[] = [];
  beforeAll(async () => {
    lists = await testKernel({ plugins: [plugin], stubs: [clusters] });
    for (const [name, type] of [["pictures", "file"], ["Films 100%", "memory"], ["songs", "memory"]] as const) {
      const request = { name, type, optionsJSON: bytes({ dir: "/opt/cache" }) };
      ids.push((await lists.call(admin, rpc.createHTTPCachePolicy, request)).httpCachePolicyId);
    }
    policyOfCluster.set(7n, ids[1]!);
  });
  afterAll(() => lists[Symbol.asyncDispose]());

  test.each([
    ["all, newest first", {}, ["songs", "Films 100%", "pictures"]],
    ["by type", { type: "memory" }, ["songs", "Films 100%"]],
    ["by part of the name, ignoring case", { keyword: "FILM" }, ["Films 100%"]],
    ["by a wildcard character, taken literally", { keyword: "%" }, ["Films 100%"]],
    ["by name and type", { keyword: "s", type: "file" }, ["pictures"]],
    ["by cluster", { nodeClusterId: 7n }, ["Films 100%"]],
    ["by cluster and a type that does not match", { nodeClusterId: 7n, type: "file" }, []],
    ["by a cluster without a policy", { nodeClusterId: 8n }, []],
  ])("%s", async (_title, filter, names) => {
    const { httpCachePoliciesJSON } = await lists.call(admin, rpc.listEnabledHTTPCachePolicies, filter);
    expect(json(httpCachePoliciesJSON).map(({ name }: { name: string }) => name)).toEqual(names);
    const { count } = await lists.call(admin, rpc.countAllEnabledHTTPCachePolicies, filter);
    expect(count).toBe(BigInt(names.length));
  });

  test("are paged", async () => {
    const { httpCachePoliciesJSON } = await lists.call(admin, rpc.listEnabledHTTPCachePolicies, {
      offset: 1n,
      size: 1n,
    });
    expect(json(httpCachePoliciesJSON)).toEqual([expect.objectContaining({ name: "Films 100%", type: "memory" })]);
  });

  test("refuse an unknown type", async () => {
    await expect(lists.call(admin, rpc.countAllEnabledHTTPCachePolicies, { type: "tape" }))
      .rejects.toMatchObject({ code: 400 });
  });

  test("findAll returns id, name and isOn; find returns the maximum size as well", async () => {
    const { cachePolicies } = await lists.call(admin, rpc.findAllEnabledHTTPCachePolicies, {});
    expect(cachePolicies.map(({ id, name, isOn }) => ({ id, name, isOn }))).toEqual([
      { id: ids[2], name: "songs", isOn: false },
      { id: ids[1], name: "Films 100%", isOn: false },
      { id: ids[0], name: "pictures", isOn: false },
    ]);
    const found = await lists.call(admin, rpc.findEnabledHTTPCachePolicy, { httpCachePolicyId: ids[0]! });
    expect(json(found.httpCachePolicy!.maxBytesJSON)).toEqual({ count: 256, unit: "mb" });
  });
});
