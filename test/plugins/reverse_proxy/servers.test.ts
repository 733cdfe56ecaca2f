import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { OriginService } from "../../../plugins/origin/proto/service_origin_pb.ts";
import { ada, changed, configOf, edgehelm, origin, refs, resolvers, rpc, sites, useKernel } from "./rig.ts";

const admin = as.admin();

useKernel();

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

const FIELD = "reverseProxyJSON.reverseProxyId";

/** Puts a proxy on a site, as an admin does. */
async function putOnSite(id: bigint, userId: bigint, previousUserId?: bigint): Promise<void> {
  sites.set(id, { id: 51n, userId });
  await edgehelm.kernel.systemCall("test").transact((call) =>
    resolvers[0]!.requireFor(call, FIELD, id, userId, previousUserId)
  );
}

test("a shared proxy is read by the users whose sites use it, without its Host header, and changed by admins only", async () => {
  const { reverseProxyId } = await edgehelm.call(admin, rpc.createReverseProxy, {
    primaryOriginsJSON: refs(await origin(admin)),
    isShared: true,
  });
  const host = { reverseProxyId, requestHostType: 2, requestHost: "inside.example.com" };
  await edgehelm.call(admin, rpc.updateReverseProxy, host);
  expect(await configOf(reverseProxyId)).toBeNull();
  await expect(edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId }))
    .rejects.toMatchObject({ code: 404, reason: "reverse_proxy.not_found" });

  await putOnSite(reverseProxyId, 7n);
  expect(await configOf(reverseProxyId))
    .toMatchObject({ requestHost: "", primaryOrigins: [{ addr: { host: "198.51.100.1" } }] });
  expect(await configOf(reverseProxyId, admin)).toMatchObject({ requestHost: "inside.example.com" });
  const originsJSON = refs(await origin());
  const changes = [
    edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON }),
    edgehelm.call(ada, rpc.updateReverseProxyBackupOrigins, { reverseProxyId, originsJSON }),
    edgehelm.call(ada, rpc.updateReverseProxyScheduling, { reverseProxyId }),
    edgehelm.call(ada, rpc.updateReverseProxy, { reverseProxyId }),
  ];
  for (const change of changes) await expect(change).rejects.toMatchObject({ code: 403, reason: "kernel.shared" });
  await edgehelm.call(admin, rpc.updateReverseProxyPrimaryOrigins, {
    reverseProxyId,
    originsJSON: refs(await origin(admin, "10.0.0.9")),
  });
  expect((await configOf(reverseProxyId)).primaryOrigins).toMatchObject([{ addr: { host: "10.0.0.9" } }]);
});

test("only admins make a proxy for sharing", async () => {
  await expect(edgehelm.call(ada, rpc.createReverseProxy, { isShared: true }))
    .rejects.toMatchObject({ code: 400, message: "isShared: must be false: only admins share proxies" });
});

test("a proxy of the installation becomes, with its origins, the user's whose site uses it first", async () => {
  const originId = await origin(admin);
  const { reverseProxyId } = await edgehelm.call(admin, rpc.createReverseProxy, { primaryOriginsJSON: refs(originId) });
  await putOnSite(reverseProxyId, 7n);
  await edgehelm.call(ada, OriginService.method.updateOriginIsOn, { originId, isOn: true });
  const originsJSON = refs(originId, await origin());
  await edgehelm.call(ada, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON });
  expect((await configOf(reverseProxyId)).primaryOrigins).toHaveLength(2);
  for (const other of [8n, 0n]) {
    await expect(putOnSite(reverseProxyId, other)).rejects.toMatchObject({
      reason: "kernel.other_owner",
      message: `${FIELD}: ${reverseProxyId} belongs to another owner`,
    });
  }
  await expect(putOnSite(999n, 7n)).rejects.toThrow(`${FIELD}: reverse proxy 999 does not exist`);
});

test("a transferred site takes its proxy along", async () => {
  const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {
    backupOriginsJSON: refs(await origin()),
  });
  await putOnSite(reverseProxyId, 8n, 7n);
  expect(await configOf(reverseProxyId)).toBeNull();
  expect((await configOf(reverseProxyId, as.user(8n))).backupOrigins).toHaveLength(1);
});

test("an admin cannot give a user's proxy the origin of another user", async () => {
  const { reverseProxyId } = await edgehelm.call(ada, rpc.createReverseProxy, {});
  const originsJSON = refs(await origin(as.user(8n)));
  await expect(edgehelm.call(admin, rpc.updateReverseProxyPrimaryOrigins, { reverseProxyId, originsJSON }))
    .rejects.toMatchObject({ code: 400, reason: "kernel.other_owner" });
  await expect(edgehelm.call(admin, rpc.createReverseProxy, { primaryOriginsJSON: originsJSON }))
    .rejects.toMatchObject({ code: 400, reason: "kernel.other_owner" });
});
