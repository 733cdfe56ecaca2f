import { newWebhookSecret } from "edgehelm/auth";
import { expect, test } from "vitest";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";
import { admin, bytes, edgehelm, find, group, parsed, reportKernel, reportNode, rpc, useKernel } from "./rig.ts";

useKernel();

test("an admin creates, changes and deletes a report node", async () => {
  const asia = await group("asia");
  const allowIPs = ["192.0.2.7", "2001:DB8::0:1"];
  const reportNodeId = await reportNode(edgehelm, "tokyo", { location: "Tokyo", allowIPs, reportNodeGroupIds: [asia] });
  const node = (await find(reportNodeId))!;
  expect(node).toMatchObject({
    name: "tokyo",
    location: "Tokyo",
    isOn: true,
    isActive: false,
    allowIPs: ["192.0.2.7", "2001:db8::1"],
    reportNodeGroups: [{ id: asia, name: "asia" }],
  });
  expect(node.uniqueId).toMatch(/^[0-9a-f]{32}$/);
  expect(node.secret).toMatch(/^[A-Za-z0-9]{32}$/);
  const { deleteReportNodeGroup } = ReportNodeGroupService.method;
  await expect(edgehelm.call(admin, deleteReportNodeGroup, { reportNodeGroupId: asia }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('report node "tokyo"') });
  await edgehelm.call(admin, rpc.updateReportNode, { reportNodeId, name: "osaka", isp: "KDDI", isOn: true });
  expect(await find(reportNodeId)).toMatchObject({ name: "osaka", location: "", isp: "KDDI", reportNodeGroups: [] });
  await edgehelm.call(admin, deleteReportNodeGroup, { reportNodeGroupId: asia });
  await edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId });
  expect(await find(reportNodeId)).toBeUndefined();
  await expect(edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId })).rejects.toMatchObject({ code: 404 });
});

test.each([
  ["name", { name: "" }],
  ["allowIPs\\[1\\]", { allowIPs: ["192.0.2.1", "tokyo"] }],
  ["reportNodeGroupIds", { reportNodeGroupIds: [999n] }],
])("createReportNode refuses a wrong %s", async (field, wrong) => {
  await expect(reportNode(edgehelm, "bad", wrong))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^${field}: `) });
});

test("the global setting has defaults and is validated", async () => {
  const read = async () => parsed((await edgehelm.call(admin, rpc.readReportNodeGlobalSetting, {})).settingJSON);
  const update = (setting: object) =>
    edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  expect(await read()).toEqual({ minNotifyConnectivity: 100, notifyWebHookURL: "" });
  await update({ minNotifyConnectivity: 66.5, notifyWebHookURL: "https://hook.test/x" });
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, {});
  expect(await read()).toEqual({ minNotifyConnectivity: 66.5, notifyWebHookURL: "https://hook.test/x" });
  for (const wrong of [{ minNotifyConnectivity: 101 }, { notifyWebHookURL: "ftp://x" }, { notifyWebHookURL: "x" }]) {
    await expect(update(wrong)).rejects.toMatchObject({ code: 400 });
  }
});

test("the secret of the webhook is stored encrypted and read back masked; the mask and absence keep it", async () => {
  const own = await reportKernel();
  await using kernel = own.edgehelm;
  const read = async () => parsed((await kernel.call(admin, rpc.readReportNodeGlobalSetting, {})).settingJSON);
  const update = (setting: object) =>
    kernel.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON: bytes(setting) });
  const notifyWebHookURL = "https://hook.test/x";
  await expect(update({ notifyWebHookURL, notifyWebHookSecret: "whsec_short" })).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(/^settingJSON\.notifyWebHookSecret: /),
  });
  await update({ notifyWebHookURL, notifyWebHookSecret: newWebhookSecret() });
  for (const kept of [{}, { notifyWebHookSecret: "******" }]) {
    await update({ notifyWebHookURL, ...kept });
    expect(await read()).toMatchObject({ notifyWebHookSecret: "******" });
  }
  await update({ notifyWebHookURL, notifyWebHookSecret: "" });
  expect(await read()).not.toHaveProperty("notifyWebHookSecret");
});

test("findLatestReportNodeVersion returns the version of the latest deploy package and requires a file system", async () => {
  await expect(edgehelm.call(admin, rpc.findLatestReportNodeVersion, {})).rejects.toMatchObject({ code: 503 });
  const packages = ["1.2.0", "1.10.0"].map((version) => ({ os: "linux", arch: "amd64", version, filename: "" }));
  const own = await reportKernel({ machine: { packages: () => Promise.resolve(packages) } });
  await using kernel = own.edgehelm;
  expect((await kernel.call(admin, rpc.findLatestReportNodeVersion, {})).version).toBe("1.10.0");
});
