import { definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import origins from "../../../plugins/origin/plugin.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import plugin from "../../../plugins/reverse_proxy/plugin.ts";
import { ReverseProxyService } from "../../../plugins/reverse_proxy/proto/service_reverse_proxy_pb.ts";
import { type ServerReferenceResolver, ServerReferenceResolvers, Servers } from "../../../plugins/server/contract.ts";

const rpc = ReverseProxyService.method;
const admin = as.admin();
const ada = as.user(7n);
const bob = as.user(8n);

/** The ids of changed sites. */
const changed: bigint[] = [];
/** Sites by proxy. */
const sites = new Map<bigint, { id: bigint; userId: bigint }>();
const servers = stub(Servers, {
  usingReverseProxy: async (_call, reverseProxyId) => {
    const site = sites.get(reverseProxyId);
    return site === undefined ? [] : [{ ...site, name: "site", nodeClusterId: 1n, userPlanId: 0n }];
  },
  configChanged: async (_call, ids) => void changed.push(...ids),
});
let resolvers: readonly ServerReferenceResolver[] = [];
const resolverUser = definePlugin({
  manifest: { name: "resolver_user", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup: ({ contributions }) => void (resolvers = contributions(ServerReferenceResolvers)),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, origins, resolverUser], stubs: [servers] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());
beforeEach(() => {
  changed.length = 0;
  sites.clear();
});

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

function parsed(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

async function origin(caller = ada, host = "10.0.0.1"): Promise<bigint> {
  const addr = { protocol: "http", host, portRange: "80" };
  return (await edgehelm.call(caller, OriginService.method.createOrigin, { addr, isOn: true })).originId;
}

function refs(...ids: bigint[]): Uint8Array<ArrayBuffer> {
  return bytes(ids.map((id) => ({ isOn: true, originId: Number(id) })));
}

async function configOf(reverseProxyId: bigint, caller = ada) {
  const response = await edgehelm.call(caller, rpc.findEnabledReverseProxyConfig, { reverseProxyId });
  return parsed(response.reverseProxyJSON);
}

test("a user configures a proxy, and its configuration includes the origins", async () => {
  const first = await origin(ada, "10.0.0.1");
  const second = await origin(ada, "10.0.0.2");
  const scheduling = { code: "sticky", options: { type: "cookie", param: "chosen" } };
  const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {
    schedulingJSON: bytes(scheduling),
    primaryOriginsJSON: refs(second, first),
  });
  sites.set(reverseProxyId, { id: 31n, userId: 7n });
  const config = await configOf(reverseProxyId);
  expect(config).toMatchObject({
    id: Number(reverseProxyId),
    isOn: true,
    primaryOriginRefs: [{ isOn: true, originId: Number(second) }, { isOn: true, originId: Number(first) }],
    primaryOrigins: [{ addr: { host: "10.0.0.2" } }, { addr: { host: "10.0.0.1" } }],
    backupOrigins: [],
    backupOriginRefs: [],
    scheduling: { code: "sticky", options: { key: "", type: "cookie", param: "chosen" } },
    requestHostType: 0,
    requestHost: "",
    retry50X: false,
    retry40X: false,
    addHeaders: ["X-Real-IP", "X-Forwarded-For", "X-Forwarded-By", "X-Forwarded-Host", "X-Forwarded-Proto"],
    maxFails: 0,
    followRedirects: false,
  });

  await edgehelm.call(ada, rpc.updateReverseProxyBackupOrigins, { reverseProxyId, originsJSON: refs(first) });
  await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON: bytes([]) });
  await edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId, schedulingJSON: bytes({}) });
  await edgehelm.call(ada, rpc.updateReverseProxy, {
    reverseProxyId,
    requestHostType: 2,
    requestHost: "inside.example.com",
    addHeaders: ["X-Real-IP"],
    retry50X: true,
    connTimeoutJSON: bytes({ count: 3, unit: "second" }),
    proxyProtocolJSON: bytes({ isOn: true, version: 2 }),
  });
  expect(await configOf(reverseProxyId)).toMatchObject({
    primaryOrigins: [],
    backupOrigins: [{ addr: { host: "10.0.0.1" } }],
    scheduling: { code: "random" },
    requestHostType: 2,
    requestHost: "inside.example.com",
    addHeaders: ["X-Real-IP"],
    retry50X: true,
    connTimeout: { count: 3, unit: "second" },
    proxyProtocol: { isOn: true, version: 2 },
  });
  expect(changed).toEqual([31n, 31n, 31n, 31n]);
});

describe("findEnabledReverseProxy", () => {
  test("returns the stored values, which empty fields of an update keep", async () => {
    const id = await origin();
    const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(id) });
    await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId });
    await edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId });
    const { reverseProxy } = await edgehelm.call(ada, rpc.findEnabledReverseProxy, { reverseProxyId });
    expect(reverseProxy?.primaryOriginsJSON).toEqual(refs(id));
    expect(parsed(reverseProxy!.schedulingJSON)).toMatchObject({ code: "random" });
    expect(parsed(reverseProxy!.backupOriginsJSON)).toEqual([]);
  });

  test("returns nothing for a proxy that does not exist; its configuration is null", async () => {
    expect((await edgehelm.call(ada, rpc.findEnabledReverseProxy, { reverseProxyId: 999n })).reverseProxy)
      .toBeUndefined();
    expect(await configOf(999n)).toBeNull();
  });
});

describe("a request is refused for", () => {
  test.each([
    [
      { schedulingJSON: { code: "best" } },
      'schedulingJSON.code: must be one of random, roundRobin, hash, sticky, got "best"',
    ],
    [{ schedulingJSON: { code: "hash" } }, "schedulingJSON.options.key: must not be empty"],
    [
      { schedulingJSON: { code: "sticky", options: { type: "cookies" } } },
      "schedulingJSON.options.type: must be one of",
    ],
    [
      { schedulingJSON: { code: "sticky", options: { type: "cookie" } } },
      "schedulingJSON.options.param: must be a name",
    ],
    [{ schedulingJSON: [] }, "schedulingJSON: expected a JSON object"],
    [{ primaryOriginsJSON: {} }, "primaryOriginsJSON: must be a JSON array"],
    [{ primaryOriginsJSON: [{ originId: "x" }] }, "primaryOriginsJSON[0].originId: expected"],
    [{ primaryOriginsJSON: [{ isOn: true }] }, "primaryOriginsJSON[0].originId: must be a positive id"],
    [{ backupOriginsJSON: [{ originId: 999 }] }, "backupOriginsJSON[0].originId: origin 999 does not exist"],
  ])("%j", async (request, message) => {
    expect(await edgehelm.post("/ReverseProxyService/createReverseProxy", request, ada))
      .toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("an origin listed twice", async () => {
    const id = await origin();
    await expect(edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(id, id) }))
      .rejects.toMatchObject({ code: 400, message: `primaryOriginsJSON[1].originId: ${id} is listed twice` });
  });

  test("another user's origin, with the error for an origin that does not exist", async () => {
    const his = await origin(bob);
    await expect(edgehelm.call(ada, rpc.createReverseProxy, { primaryOriginsJSON: refs(his) })).rejects.toMatchObject({
      code: 400,
      message: `primaryOriginsJSON[0].originId: origin ${his} does not exist`,
    });
  });

  test("a missing custom host name and an invalid version of the PROXY protocol", async () => {
    const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {});
    await expect(edgehelm.call(ada, rpc.updateReverseProxy, { reverseProxyId, requestHostType: 2 }))
      .rejects.toMatchObject({ code: 400, message: "requestHost: must not be empty" });
    const wrong = { reverseProxyId, proxyProtocolJSON: bytes({ isOn: true, version: 3 }) };
    await expect(edgehelm.call(ada, rpc.updateReverseProxy, wrong))
      .rejects.toMatchObject({ code: 400, message: "proxyProtocolJSON.version: must be 1 or 2, got 3" });
  });
});

test("a changed origin marks only the sites of its proxies for update", async () => {
  const [mine, other] = [await origin(), await origin()];
  const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, { backupOriginsJSON: refs(mine) });
  const { reverseProxyId: elsewhere } = await edgehelm.call(ada, rpc.createReverseProxy, {
    primaryOriginsJSON: refs(other),
  });
  sites.set(reverseProxyId, { id: 41n, userId: 7n }).set(elsewhere, { id: 42n, userId: 7n });
  await edgehelm.call(ada, OriginService.method.updateOriginIsOn, { originId: mine, isOn: false });
  expect(changed).toEqual([41n]);
  expect(await configOf(reverseProxyId)).toMatchObject({ backupOrigins: [{ isOn: false, version: 2 }] });
});

test("another user's proxy is not found unless a site of the caller uses it", async () => {
  const { reverseProxyId } = await edgehelm.call(admin, rpc.createReverseProxy, {
    primaryOriginsJSON: refs(await origin(admin)),
  });
  expect(await configOf(reverseProxyId)).toBeNull();
  await expect(edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId }))
    .rejects.toMatchObject({ code: 404, reason: "reverse_proxy.not_found" });

  sites.set(reverseProxyId, { id: 51n, userId: 7n });
  const { primaryOriginRefs: [existing] } = await configOf(reverseProxyId);
  const hers = await origin();
  const originsJSON = refs(BigInt(existing.originId), hers);
  await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON });
  expect((await configOf(reverseProxyId)).primaryOrigins).toHaveLength(2);
});

test("a site may refer to a proxy of its own user or of the installation that its caller may use", async () => {
  const [resolver] = resolvers;
  expect(resolver?.kind).toBe("reverse_proxy");
  const { reverseProxyId: hers } = await edgehelm.call(ada, rpc.createReverseProxy, {});
  const { reverseProxyId: shared } = await edgehelm.call(admin, rpc.createReverseProxy, {});
  const refer = (id: bigint, userId: bigint) =>
    resolver!.requireFor(edgehelm.kernel.systemCall("test"), "reverseProxyJSON.reverseProxyId", id, userId);
  await refer(hers, 7n);
  await refer(shared, 7n);
  const message = `reverseProxyJSON.reverseProxyId: reverse proxy ${hers} does not exist`;
  await expect(refer(hers, 8n)).rejects.toThrow(message);
  await expect(refer(999n, 7n)).rejects.toThrow("reverse proxy 999 does not exist");
});
