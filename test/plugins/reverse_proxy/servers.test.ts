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
