import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { admin, bytes, create, edgehelm, find, nsClusterId, parsed, rpc, useKernel } from "./rig.ts";

useKernel();

test("the settings of a node override those of its cluster if they have priority; a node sees only its own", async () => {
  const nsNodeId = await create("configured");
  const other = await create("other");
  const cluster = { tcp: { isOn: true, maxConnections: 1000 } };
  await edgehelm.call(admin, NSClusterService.method.updateNSClusterDDoSProtection, {
    nsClusterId,
    ddosProtectionJSON: bytes(cluster),
  });
  const update = (tcp: object) =>
    edgehelm.call(admin, rpc.updateNSNodeDDoSProtection, { nsNodeId, ddosProtectionJSON: bytes({ tcp }) });
  const config = async () =>
    parsed((await edgehelm.call(as.dns(nsNodeId), rpc.findCurrentNSNodeConfig, {})).nsNodeJSON) as Record<
      string,
      unknown
    >;
  await update({ isOn: true, maxConnections: 7 });
  const before = await config();
  expect(before).toMatchObject({ id: Number(nsNodeId), clusterId: Number(nsClusterId), ddosProtection: cluster });
  await update({ isOn: true, isPrior: true, maxConnections: 7 });
  const addresses = [{ protocol: "https", host: "api.test", portRange: "443" }];
  await edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId, apiNodeAddrsJSON: bytes(addresses) });
  const after = await config();
  expect(after).toMatchObject({
    nodeId: (await find(nsNodeId))!.uniqueId,
    secret: (await find(nsNodeId))!.secret,
    ddosProtection: { tcp: { maxConnections: 7 } },
    apiNodeAddrs: addresses,
    udp: { isOn: true },
  });
  expect(after.version).toBeGreaterThan(before.version as number);
  await expect(update({ newConnectionsRate: 1 })).rejects.toMatchObject({ code: 400 });
  const wrong = bytes([{ protocol: "https", host: "api.test", portRange: "0" }]);
  await expect(edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId, apiNodeAddrsJSON: wrong }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("apiNodeAddrsJSON[0].portRange") });

  const findProtection = (caller: typeof admin, id: bigint) =>
    edgehelm.call(caller, rpc.findNSNodeDDoSProtection, { nsNodeId: id });
  const own = (await findProtection(as.dns(nsNodeId), 0n)).ddosProtectionJSON;
  expect(parsed(own)).toMatchObject({ tcp: { maxConnections: 7 } });
  expect((await findProtection(as.dns(other), nsNodeId)).ddosProtectionJSON.length).toBe(0);
  expect((await findProtection(admin, nsNodeId)).ddosProtectionJSON).toEqual(own);
  expect(parsed((await edgehelm.call(as.dns(nsNodeId), rpc.findNSNodeAPIConfig, { nsNodeId })).apiNodeAddrsJSON))
    .toEqual(addresses);
  await edgehelm.call(admin, rpc.updateNSNodeAPIConfig, { nsNodeId });
  expect((await edgehelm.call(admin, rpc.findNSNodeAPIConfig, { nsNodeId })).apiNodeAddrsJSON.length).toBe(0);
});
