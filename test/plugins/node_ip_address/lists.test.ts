import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import node from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import plugin from "../../../plugins/node_ip_address/plugin.ts";
import { admin, probe, rpc } from "./rig.ts";

test("lists show addresses that are down first and can be filtered", async () => {
  await using kernel = await testKernel({ plugins: [plugin, node, nodeBase, nodeCluster, probe] });
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
