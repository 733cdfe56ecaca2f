import { as, stub, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { admin, bytes, createDomain, recordKernel } from "../ns_record/rig.ts";

const rpc = NSRouteService.method;

let edgehelm: TestKernel;
/** The DNS node n is in cluster n. */
beforeAll(async () => {
  edgehelm = await recordKernel([
    stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n }),
  ]);
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(name: string, limits: { nsClusterId?: bigint; nsDomainId?: bigint } = {}): Promise<bigint> {
  const rangesJSON = bytes([{ type: "cidr", params: { cidr: "192.0.2.0/24" } }]);
  return (await edgehelm.call(admin, rpc.createNSRoute, { name, rangesJSON, ...limits })).nsRouteId;
}

/** Returns the names that the nodes of a cluster receive after a version, empty for a deleted route, and the version. */
async function received(cluster: bigint, after = 0n) {
  const { nsRoutes } = await edgehelm.call(as.dns(cluster), rpc.listNSRoutesAfterVersion, { version: after });
  return {
    names: nsRoutes.map(({ name }) => name),
    version: nsRoutes.at(-1)?.version ?? after,
    deleted: nsRoutes.filter(({ isDeleted }) => isDeleted),
  };
}

test("nodes receive the routes of their cluster and its domains, and the others as deleted ones", async () => {
  const nsDomainId = await createDomain(edgehelm, admin, "east.example.com");
  const ids = [await create("everywhere"), await create("east", { nsClusterId: 1n })];
  ids.push(await create("domain", { nsDomainId }));
  expect(await received(1n)).toMatchObject({ names: ["everywhere", "east", "domain"], deleted: [] });
  const west = await received(2n);
  expect(west.names).toEqual(["everywhere", "", ""]);
  expect(west.deleted).toMatchObject([{ id: ids[1], isDeleted: true }, { id: ids[2], isDeleted: true }]);
  for (const route of west.deleted) {
    expect([route.code, route.rangesJSON.length, route.nsCluster, route.nsDomain]).toEqual([
      "",
      0,
      undefined,
      undefined,
    ]);
  }
  const ofAdmin = await edgehelm.call(admin, rpc.listNSRoutesAfterVersion, {});
  expect(ofAdmin.nsRoutes.map(({ name }) => name)).toEqual(["everywhere", "east", "domain"]);

  await edgehelm.call(admin, NSDomainService.method.updateNSDomain, { nsDomainId, nsClusterId: 2n, isOn: true });
  await edgehelm.kernel.runJob("ns_domain.follow");
  const { version } = west;
  expect(await received(2n, version)).toMatchObject({ names: ["domain"], deleted: [] });
  expect(await received(1n, version)).toMatchObject({ names: [""], deleted: [{ id: ids[2] }] });
});
