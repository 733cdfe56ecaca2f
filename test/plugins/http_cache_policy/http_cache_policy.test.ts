import { type Call, definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/http_cache_policy/plugin.ts";
import { HTTPCachePolicyService } from "../../../plugins/http_cache_policy/proto/service_http_cache_policy_pb.ts";
import { type NodeConfigPart, NodeConfigParts } from "../../../plugins/node/contract.ts";
import { type ClusterPolicyCheck, ClusterPolicyChecks, NodeClusters } from "../../../plugins/node_cluster/contract.ts";

const rpc = HTTPCachePolicyService.method;
const admin = as.admin();
const PATH = "/HTTPCachePolicyService/";

/** The policy that each cluster uses. */
const policyOfCluster = new Map<bigint, bigint>();
const changedClusters: bigint[] = [];
const clusters = stub(NodeClusters, {
  usingPolicy: async (_call: Call, kind, policyId) =>
    kind === "http_cache_policy"
      ? [...policyOfCluster].filter(([, id]) => id === policyId).map(([id]) => ({
        id,
        name: `cluster ${id}`,
        isOn: true,
      }))
      : [],
  policyOf: async (_call, _kind, clusterId) => policyOfCluster.get(clusterId) ?? 0n,
  configChanged: async (_call, ids) => void changedClusters.push(...ids),
});

let parts: readonly NodeConfigPart[] = [];
let policyChecks: readonly ClusterPolicyCheck[] = [];
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions }) {
    parts = contributions(NodeConfigParts);
    policyChecks = contributions(ClusterPolicyChecks);
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, probe], stubs: [clusters] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

function json(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function create(name: string, overrides: object = {}): Promise<bigint> {
  const request = { name, isOn: true, type: "memory", ...overrides };
  return (await edgehelm.call(admin, rpc.createHTTPCachePolicy, request)).httpCachePolicyId;
}

async function configOf(httpCachePolicyId: bigint) {
  const { httpCachePolicyJSON } = await edgehelm.call(admin, rpc.findEnabledHTTPCachePolicyConfig, {
    httpCachePolicyId,
  });
  return json(httpCachePolicyJSON);
}

describe("createHTTPCachePolicy", () => {
  test("sets defaults for fields that are left out, and one condition", async () => {
    const id = await create("plain", { type: "file", optionsJSON: bytes({ dir: "/opt/cache" }) });
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
    expect((await configOf(await create("in memory"))).options).toEqual({});
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

describe("updateHTTPCachePolicyRefs", () => {
  test("replaces the conditions; empty bytes keep them", async () => {
    const id = await create("conditions");
    const cond = { param: "${requestPath}", operator: "prefix", value: "/img/", isRequest: true };
    const ref = {
      isOn: true,
      key: "${host}${requestURI}",
      life: { count: 1, unit: "day" },
      status: [200, 206],
      conds: { isOn: true, connector: "or", groups: [{ isOn: true, connector: "and", conds: [cond] }] },
    };
    policyOfCluster.set(5n, id);
    changedClusters.length = 0;
    await edgehelm.call(admin, rpc.updateHTTPCachePolicyRefs, { httpCachePolicyId: id, refsJSON: bytes([ref]) });
    expect(changedClusters).toEqual([5n]);
    policyOfCluster.clear();
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
    [
      [{ key: "k", simpleCond: { param: "p", operator: "in", value: ".js" } }],
      "simpleCond.value: must be a JSON array",
    ],
    [[{ key: "k", conds: { groups: [{ conds: [{ operator: "eq" }] }] } }], "conds.groups[0].conds[0].param: must not"],
  ])("refuses %j", async (refsJSON, message) => {
    const id = await create("unchanged");
    const response = await edgehelm.post(
      `${PATH}updateHTTPCachePolicyRefs`,
      { httpCachePolicyId: Number(id), refsJSON },
      admin,
    );
    expect(response).toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

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
