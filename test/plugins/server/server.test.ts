import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { admin, create, edgehelm, find, json, parsed, service, useKernel } from "./rig.ts";

useKernel();

test("another user's server is not found and cannot be changed", async () => {
  const serverId = await create({ userId: 1n });
  const bob = as.user(2n);
  expect((await edgehelm.call(bob, service.findEnabledServer, { serverId })).server).toBeUndefined();
  const notFound = { code: 404, reason: "server.not_found" };
  await expect(edgehelm.call(bob, service.updateServerName, { serverId, name: "his" })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, service.deleteServer, { serverId })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, service.checkUserServer, { serverId })).rejects.toMatchObject(notFound);
});

test("a plan can be bound only to servers of its owner, and a transferred server loses its plan", async () => {
  const serverId = await create({ userId: 1n, userPlanId: 5n });
  expect(await edgehelm.call(admin, service.countAllUserServers, { userId: 1n, userPlanId: 5n })).toMatchObject({
    count: 1n,
  });
  await edgehelm.call(admin, service.updateServerUser, { serverId, userId: 2n });
  expect(await find(serverId)).toMatchObject({ userId: 2n, userPlanId: 0n });
  await expect(edgehelm.call(admin, service.updateServerUserPlan, { serverId, userPlanId: 5n }))
    .rejects.toMatchObject({ code: 400 });
});

test("listen settings are replaced individually, and empty ones are kept", async () => {
  const serverId = await create({ type: "tcpProxy" });
  const tcpJSON = json({ isOn: true, listen: [{ protocol: "tcp", portRange: "25" }] });
  await edgehelm.call(admin, service.updateServerTCP, { serverId, tcpJSON });
  await edgehelm.call(admin, service.updateServerTCP, { serverId });
  expect(parsed((await find(serverId))!.tcpJSON)).toMatchObject({ isOn: true, listen: [{ minPort: 25 }] });
  await expect(edgehelm.call(admin, service.updateServerUDP, { serverId, udpJSON: json({}) }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("supports only tcpJSON and tlsJSON") });
});

test("deleteServers deletes all or none", async () => {
  const serverIds = [await create(), await create()];
  await expect(edgehelm.call(admin, service.deleteServers, { serverIds: [...serverIds, 9999n] }))
    .rejects.toMatchObject({ code: 404 });
  expect(await find(serverIds[0]!)).toBeDefined();
  await edgehelm.call(admin, service.deleteServers, { serverIds });
  expect(await find(serverIds[1]!)).toBeUndefined();
});
