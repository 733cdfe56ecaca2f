import { emittedBy } from "../../core/events/emitted.ts";
import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { admin, clock, create, edgehelm, events, find, parsed, report, rpc, useKernel } from "./rig.ts";

useKernel();

test("the status of a node is stored with the server's time and unknown members", async () => {
  const nsNodeId = await create("reporter");
  await report(nsNodeId, { isActive: true, os: "linux", cpuUsage: 0.5, updatedAt: 1, extra: { a: [1] } });
  const node = (await find(nsNodeId))!;
  const updatedAt = Math.floor(clock.now() / 1000);
  expect(parsed(node.statusJSON)).toEqual({ isActive: true, os: "linux", cpuUsage: 0.5, updatedAt, extra: { a: [1] } });
  expect(node).toMatchObject({ isActive: true, isUp: true });
  await expect(report(nsNodeId, { cpuUsage: "much" }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^statusJSON\.cpuUsage: /) });
  await edgehelm.call(as.dns(nsNodeId), rpc.updateNSNodeConnectedAPINodes, {
    apiNodeIds: [2n, 1n, 2n, 2n ** 63n - 1n],
  });
  expect((await find(nsNodeId))?.connectedAPINodeIds).toEqual([2n, 1n, 2n ** 63n - 1n]);
  await expect(report(999n, { isActive: true })).rejects.toMatchObject({ code: 404 });
});

test("a node that goes offline, and one that is back, is an event and notifies watchers, once each", async () => {
  const nsNodeId = await create("silent");
  await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: true });
  await report(nsNodeId, { isActive: true });
  const own = () => events.filter((line) => line.startsWith("silent"));
  await edgehelm.kernel.runJob("ns_node.watch");
  expect(own()).toEqual([]);
  clock.advance(61);
  await edgehelm.kernel.runJob("ns_node.watch");
  await edgehelm.kernel.runJob("ns_node.watch");
  expect(own()).toEqual(["silent went offline"]);
  await report(nsNodeId, { isActive: true });
  await report(nsNodeId, { isActive: true });
  expect(own()).toEqual(["silent went offline", "silent came online"]);
  const data = { nsNodeId: String(nsNodeId), name: "silent" };
  const emitted = (await emittedBy(edgehelm, "ns_node")).filter((one) => one.data["name"] === "silent");
  expect(emitted).toEqual([
    { name: "ns_node.went_offline", userId: 0n, data },
    { name: "ns_node.came_back", userId: 0n, data },
  ]);
});
