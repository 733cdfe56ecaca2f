import { expect, test } from "vitest";
import { emittedBy } from "../../core/events/emitted.ts";
import { admin, clock, edgehelm, newCluster, newNode, report, rpc } from "./rig.ts";

const watch = async () => {
  for (let times = 0; times < 2; times++) await edgehelm.kernel.runJob("node.watch");
};

test("a node that goes offline is an event, and one that is back is another one, once each", async () => {
  const nodeClusterId = await newCluster();
  const nodeId = await newNode(nodeClusterId, "silent");
  const emitted = async () =>
    (await emittedBy(edgehelm, "node")).filter(({ data }) => data["nodeId"] === String(nodeId)).map(({ name }) => name);
  await edgehelm.call(admin, rpc.updateNodeIsInstalled, { nodeId, isInstalled: true });
  await watch();
  expect(await emitted()).toEqual([]);
  await report(nodeId, { isActive: true });
  clock.advance(60);
  await watch();
  expect(await emitted()).toEqual([]);
  clock.advance(1);
  await watch();
  expect(await emitted()).toEqual(["node.went_offline"]);
  await report(nodeId, { isActive: false });
  expect(await emitted()).toEqual(["node.went_offline"]);
  for (let times = 0; times < 2; times++) await report(nodeId, { isActive: true });
  expect(await emitted()).toEqual(["node.went_offline", "node.came_back"]);
  await report(nodeId, { isActive: false });
  await watch();
  expect((await emitted()).slice(2)).toEqual(["node.went_offline"]);
});

test("a node that is turned off is not watched", async () => {
  const nodeId = await newNode(await newCluster(), "off");
  await edgehelm.call(admin, rpc.updateNodeIsInstalled, { nodeId, isInstalled: true });
  await report(nodeId, { isActive: true });
  await edgehelm.call(admin, rpc.updateNodeIsOn, { nodeId, isOn: false });
  clock.advance(61);
  await watch();
  const emitted = (await emittedBy(edgehelm, "node")).filter(({ data }) => data["nodeId"] === String(nodeId));
  expect(emitted).toEqual([]);
});
