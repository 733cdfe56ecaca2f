import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import {
  addresses,
  admin,
  create,
  edgehelm,
  listAccessible,
  newCluster,
  newNode,
  page,
  rpc,
  useKernel,
} from "./rig.ts";

useKernel();

test("addresses follow their node when it moves to another cluster and when it is turned off", async () => {
  const [oldCluster, newerCluster] = [await newCluster("old"), await newCluster("newer")];
  const nodeId = await newNode(oldCluster);
  await create({ nodeId, ip: "198.51.100.1" });
  const update = { nodeId, name: "node", isOn: true, nodeClusterId: newerCluster };
  await edgehelm.call(admin, NodeService.method.updateNode, { ...update, secondaryNodeClusterIds: [oldCluster] });
  expect(await listAccessible(oldCluster)).toEqual([]);
  expect(await listAccessible(newerCluster)).toEqual(["198.51.100.1"]);
  await edgehelm.call(admin, NodeService.method.updateNodeIsOn, { nodeId, isOn: false });
  expect(await listAccessible(newerCluster)).toEqual([]);
  await edgehelm.call(admin, NodeService.method.updateNodeIsOn, { nodeId, isOn: true });
  await edgehelm.call(admin, NodeService.method.deleteNodeFromNodeCluster, { nodeId, nodeClusterId: newerCluster });
  expect(await listAccessible(oldCluster)).toEqual(["198.51.100.1"]);
});

test("the configuration of a node lists its addresses, and every change increments its version", async () => {
  const nodeId = await newNode(await newCluster());
  const config = async (version = 0) => {
    const request = { version: BigInt(version) };
    return await edgehelm.call(as.node(nodeId), NodeService.method.findCurrentNodeConfig, request);
  };
  const parsed = async () => JSON.parse(new TextDecoder().decode((await config()).nodeJSON));
  const nodeIPAddressId = await create({ nodeId, ip: "198.51.100.7" });
  const { version, ipAddresses } = await parsed();
  expect(ipAddresses).toMatchObject([{ id: Number(nodeIPAddressId), ip: "198.51.100.7", isUp: true }]);
  expect((await config(version)).isChanged).toBe(false);
  await edgehelm.call(admin, rpc.updateNodeIPAddressIsUp, { nodeIPAddressId, isUp: false });
  expect((await parsed()).version).toBe(version + 1);
  expect((await parsed()).ipAddresses).toMatchObject([{ isUp: false }]);
});

test("plugins with nodes of other roles report their changes through the contract", async () => {
  const call = edgehelm.kernel.systemCall("test");
  const id = await create({ nodeId: 9n, role: "dns", ip: "203.0.113.1" });
  const idsInCluster = async (nodeClusterId: bigint) =>
    (await addresses.accessible(call, "dns", nodeClusterId, page)).map((address) => address.id);
  expect(await idsInCluster(77n)).toEqual([id]);
  await call.transact((inner) => addresses.nodeChanged(inner, "dns", 9n, { isOn: true, nodeClusterId: 78n }));
  expect(await idsInCluster(78n)).toEqual([id]);
  expect((await addresses.byIds(call, [id, 9999n])).get(id)).toMatchObject({ ip: "203.0.113.1", role: "dns" });
  await call.transact((inner) => addresses.nodeDeleted(inner, "dns", 9n));
  expect((await addresses.byIds(call, [id])).size).toBe(0);
});
