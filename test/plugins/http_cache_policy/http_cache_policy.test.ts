import { type Call, definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/http_cache_policy/plugin.ts";
import { HTTPCachePolicyService } from "../../../plugins/http_cache_policy/proto/service_http_cache_policy_pb.ts";
import { type NodeConfigPart, NodeConfigParts } from "../../../plugins/node/contract.ts";
import {
  type ClusterPolicyKeeper,
  ClusterPolicyKeepers,
  NodeClusters,
} from "../../../plugins/node_cluster/contract.ts";

const rpc = HTTPCachePolicyService.method;
const admin = as.admin();
const PATH = "/HTTPCachePolicyService/";

/** Which policy each cluster uses. */
const used = new Map<bigint, bigint>();
const changed: bigint[] = [];
const clusters = stub(NodeClusters, {
  usingPolicy: async (_call: Call, kind, policyId) =>
    kind === "http_cache_policy"
      ? [...used].filter(([, id]) => id === policyId).map(([id]) => ({ id, name: `cluster ${id}`, isOn: true }))
      : [],
  policyOf: async (_call, _kind, clusterId) => used.get(clusterId) ?? 0n,
  configChanged: async (_call, ids) => void changed.push(...ids),
});

let parts: readonly NodeConfigPart[] = [];
let keepers: readonly ClusterPolicyKeeper[] = [];
const neighbour = definePlugin({
  manifest: { name: "neighbour", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions }) {
    parts = contributions(NodeConfigParts);
    keepers = contributions(ClusterPolicyKeepers);
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, neighbour], stubs: [clusters] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

function json(of: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(of));
}

async function made(name: string, more: object = {}): Promise<bigint> {
  const request = { name, isOn: true, type: "memory", ...more };
  return (await edgehelm.call(admin, rpc.createHTTPCachePolicy, request)).httpCachePolicyId;
}

async function configOf(httpCachePolicyId: bigint) {
  const { httpCachePolicyJSON } = await edgehelm.call(admin, rpc.findEnabledHTTPCachePolicyConfig, {
    httpCachePolicyId,
  });
  return json(httpCachePolicyJSON);
}

describe("createHTTPCachePolicy", () => {
  test("gives what was left out a value, and one condition", async () => {
    const id = await made("plain", { type: "file", optionsJSON: bytes({ dir: "/opt/cache" }) });
    const config = await configOf(id);
    expect(config).toMatchObject({
      id: Number(id),
      isOn: true,
      name: "plain",
      description: "",
      type: "file",
      capacity: { count: 64, unit: "gb" },
      maxSize: { count: 256, unit: "mb" },
      options: { dir: "/opt/cache", subDirs: [], enableSendfile: false, enableMMAP: false },
      syncCompressionCache: false,
      memoryAutoPurgeCount: 0,
    });
    expect(config.cacheRefs).toHaveLength(1);
    expect(config.cacheRefs[0]).toMatchObject({
      isOn: true,
      key: "${scheme}://${host}${requestURI}",
      life: { count: 2, unit: "hour" },
      status: [200],
      minSize: { count: 0, unit: "kb" },
      maxSize: { count: 32, unit: "mb" },
      methods: [],
      skipSetCookie: true,
      allowChunkedEncoding: true,
      allowPartialContent: true,
      simpleCond: { type: "url-extension", isRequest: true, param: "${requestPathLowerExtension}", operator: "in" },
    });
    expect(JSON.parse(config.cacheRefs[0].simpleCond.value)).toContain(".css");
  });

  test("a memory policy has no options", async () => {
    expect((await configOf(await made("in memory"))).options).toEqual({});
  });

  test.each([
    [{ name: " " }, "name: must not be empty"],
    [{ type: "tape" }, 'type: must be one of file, memory, got "tape"'],
    [{ type: "file" }, "optionsJSON.dir: must not be empty for a policy of type file"],
    [{ type: "file", optionsJSON: { dir: "cache" } }, "optionsJSON.dir: must be an absolute path"],
    [{ type: "file", optionsJSON: { dir: "/a", subDirs: [{ path: "/b/../../etc" }] } }, "optionsJSON.subDirs[0].path:"],
    [{ capacityJSON: { count: 1, unit: "xb" } }, "capacityJSON.unit: must be one of byte, kb"],
    [{ capacityJSON: { count: "8", unit: 5 } }, "capacityJSON.unit: expected a string, got 5"],
    [{ maxSizeJSON: { count: 8, unit: "eb" } }, "maxSizeJSON.count: must be -1 to 7, got 8"],
    [{ fetchTimeoutJSON: { count: -1, unit: "second" } }, "fetchTimeoutJSON.count: must be 0 to"],
  ])("refuses %j", async (wrong, message) => {
    const request = { name: "wrong", isOn: true, type: "memory", ...wrong };
    expect(await edgehelm.post(`${PATH}createHTTPCachePolicy`, request, admin))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

describe("updateHTTPCachePolicy", () => {
  test("keeps JSON that is left out, and tells the clusters that use the policy", async () => {
    const id = await made("before", { capacityJSON: bytes({ count: 3, unit: "gb" }) });
    used.set(1n, id).set(2n, id);
    changed.length = 0;
    const request = { httpCachePolicyId: id, name: "after", type: "memory", description: "for pictures" };
    await edgehelm.call(admin, rpc.updateHTTPCachePolicy, request);
    expect(await configOf(id)).toMatchObject({
      name: "after",
      isOn: false,
      description: "for pictures",
      capacity: { count: 3, unit: "gb" },
    });
    expect(changed).toEqual([1n, 2n]);
    used.clear();
  });

  test("a change to type file needs a directory, which a later change keeps", async () => {
    const id = await made("moves");
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

describe("updateHTTPCachePolicyRefs", () => {
  test("replaces the conditions; empty leaves them", async () => {
    const id = await made("conditions");
    const cond = { param: "${requestPath}", operator: "prefix", value: "/img/", isRequest: true };
    const ref = {
      isOn: true,
      key: "${host}${requestURI}",
      life: { count: 1, unit: "day" },
      status: [200, 206],
      conds: { isOn: true, connector: "or", groups: [{ isOn: true, connector: "and", conds: [cond] }] },
    };
    used.set(5n, id);
    changed.length = 0;
    await edgehelm.call(admin, rpc.updateHTTPCachePolicyRefs, { httpCachePolicyId: id, refsJSON: bytes([ref]) });
    expect(changed).toEqual([5n]);
    used.clear();
    await edgehelm.call(admin, rpc.updateHTTPCachePolicyRefs, { httpCachePolicyId: id });
    const { cacheRefs } = await configOf(id);
    expect(cacheRefs).toHaveLength(1);
    expect(cacheRefs[0]).toMatchObject({ ...ref, enableIfNoneMatch: false, methods: [] });
    expect(cacheRefs[0].conds.groups[0].conds[0]).toEqual({
      ...cond,
      type: "",
      isReverse: false,
      isCaseInsensitive: false,
    });
  });

  test.each([
    [{}, "refsJSON: must be a JSON array"],
    [[{ key: "" }], "refsJSON[0].key: must not be empty"],
    [[{ key: "k" }, { key: "k", status: [20] }], "refsJSON[1].status[0]: must be a status code"],
    [[{ key: "k", life: { count: 1, unit: "year" } }], "refsJSON[0].life.unit: must be one of ms"],
    [[{ key: "k", simpleCond: { param: "p", operator: "like" } }], "refsJSON[0].simpleCond.operator: must be one of"],
    [[{ key: "k", simpleCond: { param: "p", operator: "in", value: ".js" } }], "simpleCond.value: must be a JSON list"],
    [[{ key: "k", conds: { groups: [{ conds: [{ operator: "eq" }] }] } }], "conds.groups[0].conds[0].param: must not"],
  ])("refuses %j", async (refsJSON, message) => {
    const id = await made("unchanged");
    const answer = await edgehelm.post(
      `${PATH}updateHTTPCachePolicyRefs`,
      { httpCachePolicyId: Number(id), refsJSON },
      admin,
    );
    expect(answer).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("a policy that clusters use is not deleted; one that none uses is", async () => {
  const id = await made("busy");
  used.set(3n, id);
  await expect(edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id })).rejects.toMatchObject({
    code: 409,
    reason: "http_cache_policy.in_use",
    message: `cache policy ${id} is used by cluster "cluster 3"`,
  });
  used.clear();
  await edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id });
  expect((await edgehelm.call(admin, rpc.findEnabledHTTPCachePolicy, { httpCachePolicyId: id })).httpCachePolicy)
    .toBeUndefined();
  await expect(edgehelm.call(admin, rpc.deleteHTTPCachePolicy, { httpCachePolicyId: id }))
    .rejects.toMatchObject({ code: 404 });
});

test("nodes get the policies of their clusters, each once", async () => {
  const [one, two] = [await made("one"), await made("two")];
  used.set(1n, one).set(2n, two).set(3n, one);
  const [part] = parts;
  expect(part?.name).toBe("httpCachePolicies");
  const text = await part!.compose(edgehelm.kernel.systemCall("test"), { id: 1n, clusterIds: [1n, 2n, 3n, 4n] });
  expect(JSON.parse(text!).map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  used.clear();
  expect(await part!.compose(edgehelm.kernel.systemCall("test"), { id: 1n, clusterIds: [1n] })).toBe("[]");
});

test("a cluster can be set to use a policy that exists", async () => {
  const [keeper] = keepers;
  const call = edgehelm.kernel.systemCall("test");
  await keeper!.requirePolicy(call, "httpCachePolicyId", await made("exists"));
  await expect(keeper!.requirePolicy(call, "httpCachePolicyId", 999n))
    .rejects.toThrow("httpCachePolicyId: cache policy 999 does not exist");
});

describe("lists", () => {
  let lists: TestKernel;
  const ids: bigint[] = [];
  beforeAll(async () => {
    lists = await testKernel({ plugins: [plugin], stubs: [clusters] });
    for (const [name, type] of [["pictures", "file"], ["Films 100%", "memory"], ["songs", "memory"]] as const) {
      const request = { name, type, optionsJSON: bytes({ dir: "/opt/cache" }) };
      ids.push((await lists.call(admin, rpc.createHTTPCachePolicy, request)).httpCachePolicyId);
    }
    used.set(7n, ids[1]!);
  });
  afterAll(() => lists[Symbol.asyncDispose]());

  test.each([
    ["all, newest first", {}, ["songs", "Films 100%", "pictures"]],
    ["by type", { type: "memory" }, ["songs", "Films 100%"]],
    ["by a part of the name, in any case", { keyword: "FILM" }, ["Films 100%"]],
    ["by a part that is no wildcard", { keyword: "%" }, ["Films 100%"]],
    ["by name and type", { keyword: "s", type: "file" }, ["pictures"]],
    ["by the cluster", { nodeClusterId: 7n }, ["Films 100%"]],
    ["by the cluster and a type that is not its", { nodeClusterId: 7n, type: "file" }, []],
    ["by a cluster that uses none", { nodeClusterId: 8n }, []],
  ])("%s", async (_what, filter, names) => {
    const { httpCachePoliciesJSON } = await lists.call(admin, rpc.listEnabledHTTPCachePolicies, filter);
    expect(json(httpCachePoliciesJSON).map(({ name }: { name: string }) => name)).toEqual(names);
    const { count } = await lists.call(admin, rpc.countAllEnabledHTTPCachePolicies, filter);
    expect(count).toBe(BigInt(names.length));
  });

  test("pages", async () => {
    const { httpCachePoliciesJSON } = await lists.call(admin, rpc.listEnabledHTTPCachePolicies, {
      offset: 1n,
      size: 1n,
    });
    expect(json(httpCachePoliciesJSON)).toEqual([expect.objectContaining({ name: "Films 100%", type: "memory" })]);
  });

  test("an unknown type is refused", async () => {
    await expect(lists.call(admin, rpc.countAllEnabledHTTPCachePolicies, { type: "tape" }))
      .rejects.toMatchObject({ code: 400 });
  });

  test("all have id, name and isOn; one has its largest size", async () => {
    const { cachePolicies } = await lists.call(admin, rpc.findAllEnabledHTTPCachePolicies, {});
    expect(cachePolicies.map(({ id, name, isOn }) => ({ id, name, isOn }))).toEqual([
      { id: ids[2], name: "songs", isOn: false },
      { id: ids[1], name: "Films 100%", isOn: false },
      { id: ids[0], name: "pictures", isOn: false },
    ]);
    const one = await lists.call(admin, rpc.findEnabledHTTPCachePolicy, { httpCachePolicyId: ids[0]! });
    expect(json(one.httpCachePolicy!.maxBytesJSON)).toEqual({ count: 256, unit: "mb" });
  });
});
