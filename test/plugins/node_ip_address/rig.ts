import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect } from "vitest";
import node from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { AddressedNodes, NodeIPAddresses } from "../../../plugins/node_ip_address/contract.ts";
import plugin from "../../../plugins/node_ip_address/plugin.ts";
import { NodeIPAddressService } from "../../../plugins/node_ip_address/proto/service_node_ip_address_pb.ts";

export const rpc = NodeIPAddressService.method;
export const admin = as.admin();
export const page = { offset: 0n, size: 100n };
export let addresses: NodeIPAddresses;

/** DNS nodes with ids up to 100 exist. */
export const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node_ip_address.nodes"],
  },
  requires: { addresses: NodeIPAddresses },
  setup({ deps, contribute }) {
    addresses = deps.addresses;
    contribute(AddressedNodes, {
      role: "dns",
      find: async (_call, id) => id > 100n ? undefined : { isOn: true, nodeClusterId: 77n },
    });
  },
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, node, nodeBase, nodeCluster, probe] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, NodeClusterService.method.createNodeCluster, { name })).nodeClusterId;
}

export async function newNode(nodeClusterId: bigint, name = "node"): Promise<bigint> {
  return (await edgehelm.call(admin, NodeService.method.createNode, { name, nodeClusterId })).nodeId;
}

export async function create(request: object): Promise<bigint> {
  const address = { canAccess: true, isUp: true, ...request };
  return (await edgehelm.call(admin, rpc.createNodeIPAddress, address)).nodeIPAddressId;
}

export async function ofNode(nodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findAllEnabledNodeIPAddressesWithNodeId, { nodeId })).nodeIPAddresses;
}

export async function listAccessible(nodeClusterId: bigint): Promise<(string | undefined)[]> {
  const call = edgehelm.kernel.systemCall("test");
  const found = await addresses.accessible(call, "node", nodeClusterId, page);
  expect(await addresses.countAccessible(call, "node", nodeClusterId)).toBe(BigInt(found.length));
  return found.map(({ ip }) => ip);
}
