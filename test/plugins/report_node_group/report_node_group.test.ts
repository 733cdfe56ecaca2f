import { definePlugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ReportNodeGroupUses } from "../../../plugins/report_node_group/contract.ts";
import plugin from "../../../plugins/report_node_group/plugin.ts";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";

const rpc = ReportNodeGroupService.method;
const admin = as.admin();
const usedBy = new Map<bigint, string[]>();

const groupUser = definePlugin({
  manifest: {
    name: "group_user",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["report_node_group.uses"],
  },
  setup: ({ contribute }) =>
    contribute(ReportNodeGroupUses, {
      referencesTo: (_call, id, limit) => Promise.resolve((usedBy.get(id) ?? []).slice(0, limit)),
    }),
});

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, groupUser] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

test("an admin manages groups", async () => {
  const { reportNodeGroupId } = await edgehelm.call(admin, rpc.createReportNodeGroup, { name: " asia " });
  const other = await edgehelm.call(admin, rpc.createReportNodeGroup, { name: "europe" });
  await edgehelm.call(admin, rpc.updateReportNodeGroup, { reportNodeGroupId, name: "Asia" });
  const found = await edgehelm.call(admin, rpc.findEnabledReportNodeGroup, { reportNodeGroupId });
  expect(found.reportNodeGroup).toMatchObject({ id: reportNodeGroupId, name: "Asia", isOn: true });
  const { reportNodeGroups } = await edgehelm.call(admin, rpc.findAllEnabledReportNodeGroups, {});
  expect(reportNodeGroups.map(({ id }) => id)).toEqual([other.reportNodeGroupId, reportNodeGroupId]);
  usedBy.set(reportNodeGroupId, ['report node "tokyo"']);
  await expect(edgehelm.call(admin, rpc.deleteReportNodeGroup, { reportNodeGroupId })).rejects.toMatchObject({
    code: 409,
    message: `report node group ${reportNodeGroupId} is used by report node "tokyo"`,
  });
  usedBy.clear();
  await edgehelm.call(admin, rpc.deleteReportNodeGroup, { reportNodeGroupId });
  expect((await edgehelm.call(admin, rpc.countAllEnabledReportNodeGroups, {})).count).toBe(1n);
  expect((await edgehelm.call(admin, rpc.findEnabledReportNodeGroup, { reportNodeGroupId })).reportNodeGroup)
    .toBeUndefined();
});

test("a group that does not exist cannot be changed, and a name is required", async () => {
  const missing = { reportNodeGroupId: 99n, name: "x" };
  await expect(edgehelm.call(admin, rpc.updateReportNodeGroup, missing)).rejects.toMatchObject({ code: 404 });
  await expect(edgehelm.call(admin, rpc.deleteReportNodeGroup, missing)).rejects.toMatchObject({ code: 404 });
  await expect(edgehelm.call(admin, rpc.createReportNodeGroup, { name: " " })).rejects.toMatchObject({ code: 400 });
});
