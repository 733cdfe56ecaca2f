import { as, TestClock, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import nodeLog from "../../../plugins/node_log/plugin.ts";
import { NodeLogService } from "../../../plugins/node_log/proto/service_node_log_pb.ts";
import nsCluster from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import nsNode from "../../../plugins/ns_node/plugin.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";
import reportNode from "../../../plugins/report_node/plugin.ts";
import { ReportNodeService } from "../../../plugins/report_node/proto/service_report_node_pb.ts";

const admin = as.admin();
const rpc = NodeLogService.method;

test("logs of DNS nodes are found by their cluster and, like those of report nodes, deleted with the node", async () => {
  const clock = new TestClock(1_800_000_000_000);
  await using edgehelm = await testKernel({ plugins: [nodeBase, nodeLog, nsCluster, nsNode, reportNode], clock });
  const newNode = async (name: string) => {
    const cluster = { name, hosts: [`ns1.${name}.test`] };
    const { nsClusterId } = await edgehelm.call(admin, NSClusterService.method.createNSCluster, cluster);
    const node = { name, nodeClusterId: nsClusterId };
    return { nsClusterId, ...await edgehelm.call(admin, NSNodeService.method.createNSNode, node) };
  };
  const [east, west] = [await newNode("east"), await newNode("west")];
  const { reportNodeId } = await edgehelm.call(admin, ReportNodeService.method.createReportNode, { name: "probe" });
  for (const caller of [as.dns(east.nsNodeId), as.dns(west.nsNodeId), as.report(reportNodeId)]) {
    const nodeLogs = [{ level: "error", description: `of ${caller.role} ${caller.id}` }];
    await edgehelm.call(caller, rpc.createNodeLogs, { nodeLogs });
  }
  const authors = async (request: object) =>
    (await edgehelm.call(admin, rpc.listNodeLogs, request)).nodeLogs.map(({ role, nodeId }) => `${role} ${nodeId}`);
  const unread = async () => (await edgehelm.call(admin, rpc.countAllUnreadNodeLogs, {})).count;
  const [ofEast, ofWest] = [`dns ${east.nsNodeId}`, `dns ${west.nsNodeId}`];
  expect(await authors({ role: "dns", nodeClusterId: east.nsClusterId })).toEqual([ofEast]);
  expect(await authors({ role: "dns", nodeClusterId: west.nsClusterId })).toEqual([ofWest]);

  await edgehelm.call(admin, NSNodeService.method.deleteNSNode, { nsNodeId: east.nsNodeId });
  expect(await authors({})).toEqual([`report ${reportNodeId}`, ofWest]);
  expect(await unread()).toBe(2n);
  await edgehelm.call(admin, ReportNodeService.method.deleteReportNode, { reportNodeId });
  expect(await authors({})).toEqual([ofWest]);
  expect(await unread()).toBe(1n);
  expect((await edgehelm.call(admin, rpc.countNodeLogs, { role: "report" })).count).toBe(0n);
  await edgehelm.kernel.runJob("node_log.remove_old");
  expect(await authors({})).toEqual([ofWest]);
  expect(await unread()).toBe(1n);
});
