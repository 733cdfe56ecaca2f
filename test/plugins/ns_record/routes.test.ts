import { describe, expect, test } from "vitest";
import { NSRouteService } from "../../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { edgehelm, useKernel, values } from "./node_rig.ts";
import { ada, admin, bytes, createDomain, createRecord, rpc } from "./rig.ts";

useKernel();

describe("routes", () => {
  const rangesJSON = bytes([{ type: "cidr", params: { cidr: "192.0.2.0/24" } }]);

  test("a record refers to a route by code or id, and the route cannot be deleted", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "routes.test");
    const request = { name: "office", rangesJSON, isPublic: true };
    const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, request);
    const record = { nsDomainId, name: "www", type: "A", value: "192.0.2.1" };
    const { id: nsRecordId, nsRoutes } = await createRecord(edgehelm, ada, { ...record, nsRouteIds: [nsRouteId] });
    expect(nsRoutes).toMatchObject([{ id: nsRouteId, code: `id:${nsRouteId}`, name: "office" }]);
    expect(await values(nsDomainId, { nsRouteCode: `id:${nsRouteId}` })).toEqual(["www A 192.0.2.1"]);
    expect(await values(nsDomainId, { nsRouteCode: "default" })).toEqual([]);
    const deleting = () => edgehelm.call(admin, NSRouteService.method.deleteNSRoute, { nsRouteId });
    await expect(deleting()).rejects.toMatchObject({
      code: 409,
      message: `DNS route ${nsRouteId} is used by record "www A" of domain "routes.test"`,
    });
    await edgehelm.call(ada, rpc.updateNSRecord, { nsRecordId, name: "www", type: "A", value: "192.0.2.1" });
    await deleting();
  });

  test("an admin can let a domain use private routes of the installation and of its owner, but not of others", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "owners.test");
    const use = async (userId: bigint) => {
      const route = { name: "r", rangesJSON, userId };
      const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, route);
      const record = { nsDomainId, name: `u${userId}`, type: "A", value: "192.0.2.1", nsRouteIds: [nsRouteId] };
      return await edgehelm.call(admin, rpc.createNSRecord, record);
    };
    await use(0n);
    await use(7n);
    await expect(use(8n)).rejects.toMatchObject({ code: 400, reason: "ns_route.unknown_code" });
    const route = { name: "r", rangesJSON, userId: 8n };
    const { nsRouteId } = await edgehelm.call(admin, NSRouteService.method.createNSRoute, route);
    const change = {
      nsDomainNames: ["owners.test"],
      userId: 7n,
      searchName: "u0",
      newNSRouteCodes: [`id:${nsRouteId}`],
    };
    await expect(edgehelm.call(admin, rpc.updateNSRecordsWithDomainNames, change))
      .rejects.toMatchObject({ code: 400, reason: "ns_route.unknown_code" });
    const foreign = { ...route, nsDomainId };
    await expect(edgehelm.call(admin, NSRouteService.method.createNSRoute, foreign))
      .rejects.toMatchObject({ code: 400, reason: "kernel.other_owner" });
  });

  test("a user cannot use routes of other users or clusters, private routes, or routes that do not exist", async () => {
    const nsDomainId = await createDomain(edgehelm, ada, "scope.test");
    const ids = await Promise.all([{ userId: 8n }, { nsClusterId: 2n, isPublic: true }, { isPublic: false }].map(
      async (scope) =>
        (await edgehelm.call(admin, NSRouteService.method.createNSRoute, { name: "r", rangesJSON, ...scope }))
          .nsRouteId,
    ));
    for (const code of [...ids.map((id) => `id:${id}`), "world:XX", "id:0"]) {
      const creating = edgehelm.call(ada, rpc.createNSRecord, {
        nsDomainId,
        type: "A",
        value: "192.0.2.1",
        nsRouteCodes: ["world:US", code],
      });
      await expect(creating).rejects.toMatchObject({
        code: 400,
        reason: "ns_route.unknown_code",
        message: expect.stringContaining("nsRouteCodes[1]"),
      });
    }
  });
});
