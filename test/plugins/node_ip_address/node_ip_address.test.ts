import { expect, test } from "vitest";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import { admin, create, edgehelm, listAccessible, newCluster, newNode, ofNode, rpc, useKernel } from "./rig.ts";

useKernel();

test("addresses are created, changed, moved to another node and deleted with their node", async () => {
  const [east, west] = [await newCluster("east"), await newCluster("west")];
  const [one, two] = [await newNode(east, "one"), await newNode(west, "two")];
  const first = await create({ nodeId: one, ip: " 192.0.2.1 ", name: "uplink", nodeClusterIds: [east, east] });
  const many = await edgehelm.call(admin, rpc.createNodeIPAddresses, {
    nodeId: one,
    ipList: ["2001:DB8:0:0::1", "192.0.2.2"],
    groupValue: "rack",
    canAccess: true,
    isUp: true,
  });
  expect(await ofNode(one)).toMatchObject([
    {
      id: first,
      ip: "192.0.2.1",
      name: "uplink",
      role: "node",
      isOn: true,
      nodeClusters: [{ id: east, name: "east" }],
    },
    { id: many.nodeIPAddressIds[0], ip: "2001:db8::1", description: "rack", nodeClusters: [] },
    { id: many.nodeIPAddressIds[1], ip: "192.0.2.2", description: "rack" },
  ]);
  const { node: found } = await edgehelm.call(admin, NodeService.method.findEnabledNode, { nodeId: one });
  expect(found!.ipAddresses.map(({ ip }) => ip)).toEqual(["192.0.2.1", "2001:db8::1", "192.0.2.2"]);
  const { nodes } = await edgehelm.call(admin, NodeService.method.listEnabledNodesMatch, { keyword: "db8::" });
  expect(nodes.map(({ id }) => id)).toEqual([one]);
  expect(await listAccessible(east)).toEqual(["192.0.2.1", "2001:db8::1", "192.0.2.2"]);

  const update = { nodeIPAddressId: first, name: "down", ip: "192.0.2.9", canAccess: false, isOn: true };
  await edgehelm.call(admin, rpc.updateNodeIPAddress, update);
  const { nodeIPAddress } = await edgehelm.call(admin, rpc.findEnabledNodeIPAddress, { nodeIPAddressId: first });
  expect(nodeIPAddress).toMatchObject({ name: "down", ip: "192.0.2.9", isUp: false, nodeClusters: [] });
  await edgehelm.call(admin, rpc.updateNodeIPAddressNodeId, {
    nodeIPAddressId: many.nodeIPAddressIds[1]!,
    nodeId: two,
  });
  expect((await ofNode(two)).map(({ ip }) => ip)).toEqual(["192.0.2.2"]);
  expect(await listAccessible(east)).toEqual(["2001:db8::1"]);
  expect(await listAccessible(west)).toEqual(["192.0.2.2"]);

  await edgehelm.call(admin, rpc.disableNodeIPAddress, { nodeIPAddressId: first });
  expect((await ofNode(one)).map(({ ip }) => ip)).toEqual(["2001:db8::1"]);
  await edgehelm.call(admin, NodeService.method.deleteNode, { nodeId: one });
  expect(await ofNode(one)).toEqual([]);
  await edgehelm.call(admin, rpc.disableAllNodeIPAddressesWithNodeId, { nodeId: two });
  expect(await ofNode(two)).toEqual([]);
});
