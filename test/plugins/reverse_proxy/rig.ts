import { definePlugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, beforeEach } from "vitest";
import origins from "../../../plugins/origin/plugin.ts";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import plugin from "../../../plugins/reverse_proxy/plugin.ts";
import { ReverseProxyService } from "../../../plugins/reverse_proxy/proto/service_reverse_proxy_pb.ts";
import { type ServerReferenceResolver, ServerReferenceResolvers, Servers } from "../../../plugins/server/contract.ts";

export const rpc = ReverseProxyService.method;
export const ada = as.user(7n);
/** The ids of changed sites. */
export const changed: bigint[] = [];
/** Sites by proxy. */
export const sites = new Map<bigint, { id: bigint; userId: bigint }>();
const servers = stub(Servers, {
  usingReverseProxy: async (_call, reverseProxyId) => {
    const site = sites.get(reverseProxyId);
    return site === undefined ? [] : [{ ...site, name: "site", nodeClusterId: 1n, userPlanId: 0n }];
  },
  proxiesOnSitesOf: async (_call, ids, userId) => ids.filter((id) => sites.get(id)?.userId === userId),
  proxiesOnSitesOfOthers: async (_call, ids, userId) =>
    ids.filter((id) => (sites.get(id)?.userId ?? userId) !== userId),
  configChanged: async (_call, ids) => void changed.push(...ids),
});
export let resolvers: readonly ServerReferenceResolver[] = [];
const resolverUser = definePlugin({
  manifest: { name: "resolver_user", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup: ({ contributions }) => void (resolvers = contributions(ServerReferenceResolvers)),
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, origins, resolverUser], stubs: [servers] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
  beforeEach(() => {
    changed.length = 0;
    sites.clear();
  });
}

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function parsed(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

export async function origin(caller = ada, host = "198.51.100.1"): Promise<bigint> {
  const addr = { protocol: "http", host, portRange: "80" };
  return (await edgehelm.call(caller, OriginService.method.createOrigin, { addr, isOn: true })).originId;
}

export function refs(...ids: bigint[]): Uint8Array<ArrayBuffer> {
  return bytes(ids.map((id) => ({ isOn: true, originId: Number(id) })));
}

export async function configOf(reverseProxyId: bigint, caller = ada) {
  const response = await edgehelm.call(caller, rpc.findEnabledReverseProxyConfig, { reverseProxyId });
  return parsed(response.reverseProxyJSON);
}
