import { expect, test } from "vitest";
import { json, openDay } from "./day_rig.ts";

test("Report nodes: terminals measure the addresses of edge nodes, and the admin sees the results", async () => {
  await using day = await openDay();
  const { admin } = day;
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const address = { nodeId: node.id, role: "node", ip: "192.0.2.1", canAccess: true, isUp: true };
  const { nodeIPAddressId } = await admin.post("NodeIPAddressService/createNodeIPAddress", address);

  // The admin creates two terminals in a group.
  const group = await admin.post("ReportNodeGroupService/createReportNodeGroup", { name: "Asia" });
  const reportNodeGroupIds = [group.reportNodeGroupId];
  const createTerminal = async (name: string) => {
    const { reportNodeId } = await admin.post("ReportNodeService/createReportNode", { name, reportNodeGroupIds });
    const { reportNode } = await admin.post("ReportNodeService/findEnabledReportNode", { reportNodeId });
    return Object.assign(await day.login("report", reportNode.uniqueId, reportNode.secret), { id: reportNodeId });
  };
  const [tokyo, osaka] = [await createTerminal("Tokyo"), await createTerminal("Osaka")];
  await tokyo.post("ReportNodeService/updateReportNodeStatus", { statusJSON: { os: "linux", isp: "KDDI" } });
  expect(json((await tokyo.post("ReportNodeService/findCurrentReportNodeConfig")).reportNodeJSON))
    .toEqual({ id: tokyo.id });
  const { reportNodes } = await admin.post("ReportNodeService/listEnabledReportNodes", { keyword: "o", size: 10 });
  expect(reportNodes.map(({ name, isp }: { name: string; isp: string }) => [name, isp]))
    .toEqual([["Osaka", ""], ["Tokyo", "KDDI"]]);

  // Each terminal fetches its tasks and reports a result.
  for (const [terminal, isOk, costMs] of [[tokyo, true, 40], [osaka, false, 0]] as const) {
    const { ipAddrTasksJSON } = await terminal.post("ReportNodeService/findReportNodeTasks");
    const [task] = json(ipAddrTasksJSON);
    expect(task).toMatchObject({ addrId: nodeIPAddressId, ip: "192.0.2.1" });
    const reportResults = [{ type: "ipAddr", targetId: task.addrId, targetDesc: task.ip, isOk, costMs }];
    await terminal.post("ReportResultService/updateReportResults", { reportResults });
  }
  expect((await admin.post("ReportNodeService/countAllReportNodeTasks", { nodeClusterId })).count).toBe(1);
  const tasks = async () =>
    (await admin.post("ReportNodeService/listReportNodeTasks", { role: "node", type: "ipAddr" })).ipAddrReportTasks;
  expect(await tasks()).toMatchObject([{ ip: "192.0.2.1", connectivity: 50, costMs: 40 }]);
  const all = await admin.post("ReportResultService/findAllReportResults", {
    type: "ipAddr",
    targetId: nodeIPAddressId,
  });
  expect(all.reportResults).toHaveLength(2);

  // Results expire.
  day.clock.advance(601);
  expect(await tasks()).toMatchObject([{ connectivity: 100, costMs: 0 }]);

  // The admin sets the web hook and the threshold of notifications.
  const setting = { minNotifyConnectivity: 80, notifyWebHookURL: "https://hook.test/" };
  await admin.post("ReportNodeService/updateReportNodeGlobalSetting", { settingJSON: setting });
  expect(json((await admin.post("ReportNodeService/readReportNodeGlobalSetting")).settingJSON)).toEqual(setting);

  // A terminal that is turned off or deleted is refused; the group can be deleted after its terminals.
  const osakaOff = { reportNodeId: osaka.id, name: "Osaka", isOn: false, reportNodeGroupIds };
  await admin.post("ReportNodeService/updateReportNode", osakaOff);
  expect(await osaka.error("ReportNodeService/findReportNodeTasks")).toMatchObject({ code: 401 });
  expect(await admin.error("ReportNodeGroupService/deleteReportNodeGroup", group))
    .toMatchObject({ code: 409, message: expect.stringContaining('report node "Osaka"') });
  for (const { id } of [tokyo, osaka]) {
    await admin.post("ReportNodeService/deleteReportNode", { reportNodeId: id });
  }
  expect(await tokyo.error("ReportNodeService/findReportNodeTasks")).toMatchObject({ code: 401 });
  await admin.post("ReportNodeGroupService/deleteReportNodeGroup", group);
  expect((await admin.post("ReportNodeService/countAllEnabledReportNodes")).count).toBe(0);
});

test("finding 10: an address that report nodes call broken is shown as broken, and stays up until an admin takes it down", async () => {
  await using day = await openDay();
  const { admin } = day;
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const node = await day.edgeNode("fra-1", nodeClusterId);
  const request = { nodeId: node.id, role: "node", ip: "192.0.2.1", canAccess: true, isUp: true };
  const address = await admin.post("NodeIPAddressService/createNodeIPAddress", request);
  const task = async () => {
    const { ipAddrReportTasks } = await admin.post("ReportNodeService/listReportNodeTasks", {
      nodeClusterId,
      size: 10,
    });
    const [{ level, connectivity, nodeIPAddress }] = ipAddrReportTasks;
    return { level, connectivity, isUp: nodeIPAddress.isUp };
  };
  expect(await task()).toEqual({ level: "normal", connectivity: 100, isUp: true });

  const { reportNodeId } = await admin.post("ReportNodeService/createReportNode", { name: "Tokyo" });
  const { reportNode } = await admin.post("ReportNodeService/findEnabledReportNode", { reportNodeId });
  const tokyo = await day.login("report", reportNode.uniqueId, reportNode.secret);
  const result = { type: "ipAddr", targetId: address.nodeIPAddressId, isOk: false, level: "broken", error: "refused" };
  await tokyo.post("ReportResultService/updateReportResults", { reportResults: [result] });
  expect(await task()).toEqual({ level: "broken", connectivity: 0, isUp: true });

  await admin.post("NodeIPAddressService/updateNodeIPAddressIsUp", { ...address, isUp: false });
  expect(await task()).toEqual({ level: "broken", connectivity: 0, isUp: false });
});
