import { invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NSClusters } from "../../../plugins/ns_cluster/contract.ts";
import plugin from "../../../plugins/ns_route/plugin.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";

const service = NSRouteService.method;
const admin = as.admin();
const ada = as.user(7n);

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [plugin],
    stubs: [
      stub(NSClusters, {
        summaries: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: "main", isOn: true, hosts: [] }])),
        nested: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: "main", isOn: true }])),
        requireCluster: async (_call, field, id) => {
          if (id !== 1n) throw invalid(field, `cluster ${id} does not exist`);
          return { id, name: "main", isOn: true, hosts: [] };
        },
      }),
      stub(Users, { requireUser: async () => {} }),
    ],
  });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

const office = { type: "cidr", params: { cidr: "192.0.2.0/24" } };

async function create(name: string, overrides: { userId?: bigint; isPublic?: boolean; nsClusterId?: bigint } = {}) {
  const request = { name, rangesJSON: bytes([office]), ...overrides };
  return (await edgehelm.call(admin, service.createNSRoute, request)).nsRouteId;
}

test("an admin creates, changes and deletes a route; nodes receive the changes by version", async () => {
  const nsRouteId = await create("office", { nsClusterId: 1n });
  const { nsRoute } = await edgehelm.call(admin, service.findNSRoute, { nsRouteId });
  expect(nsRoute).toMatchObject({ name: "office", code: `id:${nsRouteId}`, isOn: true, nsCluster: { id: 1n } });
  const { version } = nsRoute!;
  await edgehelm.call(admin, service.updateNSRoute, { nsRouteId, name: "offices", isOn: true, priority: 5 });
  const changed = (await edgehelm.call(admin, service.findNSRoute, { nsRouteId })).nsRoute!;
  expect(changed).toMatchObject({ name: "offices", priority: 5, rangesJSON: bytes([office]) });
  await edgehelm.call(admin, service.deleteNSRoute, { nsRouteId });
  const { nsRoutes } = await edgehelm.call(as.dns(), service.listNSRoutesAfterVersion, { version });
  expect(nsRoutes).toMatchObject([{ id: nsRouteId, isDeleted: true, version: version + 2n }]);
  expect((await edgehelm.call(admin, service.findNSRoute, { nsRouteId })).nsRoute).toBeUndefined();
  await expect(edgehelm.call(admin, service.deleteNSRoute, { nsRouteId })).rejects.toMatchObject({ code: 404 });
});

test.each([
  [[], "rangesJSON"],
  [[{ type: "planet", params: {} }], "rangesJSON[0].type"],
  [[{ type: "cidr" }], "rangesJSON[0].params"],
  [[{ type: "cidr", params: { cidr: "192.0.2.0/33" } }], "rangesJSON[0].params.cidr"],
  [[office, { type: "ipRange", params: { ipFrom: "192.0.2.9", ipTo: "192.0.2.10" } }, {
    type: "ipRange",
    params: { ipFrom: "192.0.2.10", ipTo: "192.0.2.9" },
  }], "rangesJSON[2].params.ipTo"],
  [[{ type: "ipRange", params: { ipFrom: "2001:db8::1", ipTo: "192.0.2.9" } }], "rangesJSON[0].params.ipTo"],
  [[{ type: "ipRange", params: { ipFrom: "2001:db8::1:0", ipTo: "2001:db8::ff" } }], "rangesJSON[0].params.ipTo"],
  [[{ type: "region", params: { regions: [{ type: "country" }] } }], "rangesJSON[0].params.regions[0].name"],
])("createNSRoute refuses the ranges %j at %s", async (ranges, field) => {
  const creating = edgehelm.call(admin, service.createNSRoute, { name: "bad", rangesJSON: bytes(ranges) });
  await expect(creating).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(`^${escapeRegExp(field)}:`),
  });
});

test("createNSRoute refuses a cluster that does not exist, and categories", async () => {
  const rangesJSON = bytes([office]);
  for (const wrong of [{ nsClusterId: 9n }, { nsDomainId: 9n }, { nsRouteCategoryId: 1n }, { rangesJSON: bytes("") }]) {
    const creating = edgehelm.call(admin, service.createNSRoute, { name: "bad", rangesJSON, ...wrong });
    await expect(creating).rejects.toMatchObject({ code: 400 });
  }
});

describe("findAllNSRoutes", () => {
  test("returns a user's own and public routes in the order in which they are tried", async () => {
    const [theirs, shared, hidden] = [
      await create("theirs", { userId: 7n }),
      await create("shared", { isPublic: true }),
      await create("hidden", { userId: 8n }),
    ];
    const idsFor = async (caller: typeof admin, userId = 0n) =>
      (await edgehelm.call(caller, service.findAllNSRoutes, { userId })).nsRoutes.map(({ id }) => id);
    expect(await idsFor(ada, 8n)).toEqual([shared, theirs]);
    expect((await idsFor(admin)).slice(0, 3)).toEqual([hidden, shared, theirs]);
    expect(await idsFor(admin, 8n)).toEqual([hidden]);
    expect((await edgehelm.call(admin, service.countAllNSRoutes, { userId: 8n })).count).toBe(1n);
    await edgehelm.call(admin, service.updateNSRouteOrders, { nsRouteIds: [hidden, theirs, shared] });
    expect((await idsFor(admin)).slice(-3)).toEqual([hidden, theirs, shared].filter((id) => id !== undefined));
  });
});

test("built-in routes have the codes that clients store, without duplicates", async () => {
  const lists = await Promise.all([
    edgehelm.call(ada, service.findAllDefaultWorldRegionRoutes, {}),
    edgehelm.call(ada, service.findAllDefaultChinaProvinceRoutes, {}),
    edgehelm.call(ada, service.findAllDefaultISPRoutes, {}),
    edgehelm.call(ada, service.findAllAgentNSRoutes, {}),
  ]);
  const codes = lists.flatMap(({ nsRoutes }) => nsRoutes.map(({ code }) => code));
  expect(new Set(codes).size).toBe(codes.length);
  expect(lists.map(({ nsRoutes }) => nsRoutes.length)).toEqual([249, 34, 13, 10]);
  for (const code of ["world:US", "world:UAR", "china:jilin", "china:province:hk", "isp:google", "agent:bing"]) {
    expect(codes).toContain(code);
  }
  expect(lists[0].nsRoutes.every(({ name, isOn }) => name !== "" && isOn)).toBe(true);
});

function escapeRegExp(text: string): string {
  return text.replace(/[.[\]]/g, "\\$&");
}
