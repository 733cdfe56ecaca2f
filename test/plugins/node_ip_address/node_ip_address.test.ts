import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import node from "../../../plugins/node/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { AddressedNodes, NodeIPAddresses } from "../../../plugins/node_ip_address/contract.ts";
import plugin from "../../../plugins/node_ip_address/plugin.ts";
import { NodeIPAddressService } from "../../../plugins/node_ip_address/proto/service_node_ip_address_pb.ts";

const rpc = NodeIPAddressService.method;
const admin = as.admin();
const page = { offset: 0n, size: 100n };
let addresses: NodeIPAddresses;

/** DNS nodes with ids up to 100 exist. */
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { addresses: NodeIPAddresses },
  setup({ deps, contribute }) {
    addresses = deps.addresses;
    contribute(AddressedNodes, {
      role: "dns",
      find: async (_call, id) => id > 100n ? undefined : { isOn: true, nodeClusterId: 77n },
    });
  },
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, node, nodeCluster, probe] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name })).nodeClusterId;
}

async function newNode(nodeClusterId: bigint, name = "node"): Promise<bigint> {
  return (await edgehelm.call(admin, NodeService.method.createNode, { name, nodeClusterId })).nodeId;
}

async function create(request: object): Promise<bigint> {
  const address = { canAccess: true, isUp: true, ...request };
  return (await edgehelm.call(admin, rpc.createNodeIPAddress, address)).nodeIPAddressId;
}

async function ofNode(nodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findAllEnabledNodeIPAddressesWithNodeId, { nodeId })).nodeIPAddresses;
}

async function listAccessible(nodeClusterId: bigint): Promise<(string | undefined)[]> {
  const call = edgehelm.kernel.systemCall("test");
  const found = await addresses.accessible(call, "node", nodeClusterId, page);
  expect(await addresses.countAccessible(call, "node", nodeClusterId)).toBe(BigInt(found.length));
  return found.map(({ ip }) => ip);
}

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

test("lists show addresses that are down first and can be filtered", async () => {
  await using kernel = await testKernel({ plugins: [plugin, node, nodeCluster, probe] });
  const { nodeClusterId } = await kernel.call(admin, NodeClusterService.method.createNodeCluster, { name: "c" });
  const { nodeId } = await kernel.call(admin, NodeService.method.createNode, { name: "n", nodeClusterId });
  const add = (request: object) => kernel.call(admin, rpc.createNodeIPAddress, { isUp: true, ...request });
  await add({ nodeId, ip: "10.0.0.1" });
  await add({ nodeId, ip: "10.0.0.2", isUp: false, name: "back_up" });
  await add({ nodeId: 5n, role: "dns", ip: "10.0.0.3" });
  const ips = async (request: object) => {
    const { nodeIPAddresses } = await kernel.call(admin, rpc.listEnabledNodeIPAddresses, request);
    const { offset: _offset, size: _size, ...filter } = request as { offset?: bigint; size?: bigint };
    const { count } = await kernel.call(admin, rpc.countAllEnabledNodeIPAddresses, filter);
    if (!("size" in request)) expect(count).toBe(BigInt(nodeIPAddresses.length));
    return nodeIPAddresses.map(({ ip }) => ip.slice(-1)).join("");
  };
  expect(await ips({})).toBe("231");
  expect(await ips({ offset: 1n, size: 1n })).toBe("3");
  expect(await ips({ role: "node" })).toBe("21");
  expect(await ips({ nodeClusterId: 77n })).toBe("3");
  expect(await ips({ nodeClusterId })).toBe("21");
  expect(await ips({ upState: 1 })).toBe("31");
  expect(await ips({ upState: 2 })).toBe("2");
  expect(await ips({ keyword: "k_U" })).toBe("2");
  expect(await ips({ keyword: "0.0.3", role: "node" })).toBe("");
  await expect(ips({ upState: 3 })).rejects.toMatchObject({ code: 400 });
});

describe("createNodeIPAddress refuses", () => {
  test.each([
    [{ ip: "300.0.0.1" }, 'ip: must be an IP address, got "300.0.0.1"'],
    [{ ip: "example.com" }, "ip: must be an IP address"],
    [{ ip: "1::2::3" }, "ip: must be an IP address"],
    [{ nodeId: 9999n }, "nodeId: node 9999 does not exist"],
    [{ nodeId: 101n, role: "dns" }, "nodeId: dns 101 does not exist"],
    [{ role: "report" }, 'role: must be one of node, dns, got "report"'],
    [{ nodeClusterIds: [9999n] }, "nodeClusterIds[0]: node cluster 9999 does not exist"],
  ])("%o", async (wrong, message) => {
    const request = { nodeId: await newNode(await newCluster()), ip: "192.0.2.5", ...wrong };
    await expect(create(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("an address that the node already has, even in another notation", async () => {
    const cluster = await newCluster();
    const [one, two] = [await newNode(cluster), await newNode(cluster)];
    await create({ nodeId: one, ip: "2001:db8::5" });
    const taken = { code: 409, reason: "node_ip_address.taken" };
    await expect(create({ nodeId: one, ip: "2001:db8:0::5" })).rejects.toMatchObject(taken);
    const other = await create({ nodeId: two, ip: "2001:db8::5" });
    await expect(edgehelm.call(admin, rpc.updateNodeIPAddressNodeId, { nodeIPAddressId: other, nodeId: one }))
      .rejects.toMatchObject(taken);
    const list = { nodeId: one, ipList: ["192.0.2.6", "2001:db8::5"] };
    await expect(edgehelm.call(admin, rpc.createNodeIPAddresses, list)).rejects.toMatchObject(taken);
    expect((await ofNode(one)).map(({ ip }) => ip)).toEqual(["2001:db8::5"]);
  });
});

test.each([
  [rpc.updateNodeIPAddress, { ip: "192.0.2.1" }],
  [rpc.updateNodeIPAddressNodeId, { nodeId: 1n }],
  [rpc.updateNodeIPAddressIsUp, {}],
  [rpc.disableNodeIPAddress, {}],
])("$name does not find an address that does not exist", async (method, request) => {
  const change = { ...request, nodeIPAddressId: 9999n };
  await expect(edgehelm.call(admin, method as typeof rpc.updateNodeIPAddressIsUp, change))
    .rejects.toMatchObject({ code: 404, reason: "node_ip_address.not_found" });
  const found = await edgehelm.call(admin, rpc.findEnabledNodeIPAddress, { nodeIPAddressId: 9999n });
  expect(found.nodeIPAddress).toBeUndefined();
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
