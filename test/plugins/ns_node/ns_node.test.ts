import { expect, test } from "vitest";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { admin, bytes, clusterOf, create, edgehelm, events, find, nsClusterId, parsed, rpc, useKernel } from "./rig.ts";

useKernel();

const login = (params: object, id = 0n) => ({ id, name: "shell", type: "ssh", params: bytes(params) });

test("a node is created, changed and deleted", async () => {
  const nsNodeId = await create("ns1", { nodeLogin: login({ host: "192.0.2.1", port: 22, grantId: 3 }) });
  const node = (await find(nsNodeId))!;
  expect(node).toMatchObject({
    name: "ns1",
    isOn: true,
    isInstalled: false,
    isActive: false,
    nsCluster: { id: nsClusterId, name: "main" },
    installStatus: { isRunning: false, isFinished: false, isOk: false, errorCode: "" },
  });
  expect(node.uniqueId).toMatch(/^[0-9a-f]{32}$/);
  expect(node.secret).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(parsed(node.nodeLogin!.params)).toEqual({ host: "192.0.2.1", port: 22, grantId: 3 });

  const other = await clusterOf(edgehelm);
  const { id } = node.nodeLogin!;
  const update = { nsNodeId, name: "ns2", nsClusterId: other, isOn: true };
  await edgehelm.call(admin, rpc.updateNSNode, { ...update, nodeLogin: login({ host: "h.test" }, id) });
  expect(await find(nsNodeId)).toMatchObject({ name: "ns2", nsCluster: { id: other }, nodeLogin: { id } });
  await edgehelm.call(admin, rpc.updateNSNode, update);
  expect((await find(nsNodeId))?.nodeLogin).toBeUndefined();
  await edgehelm.call(admin, rpc.updateNSNodeLogin, { nsNodeId, nodeLogin: login({ host: "i.test" }) });
  expect((await find(nsNodeId))?.nodeLogin).toBeDefined();
  await expect(edgehelm.call(admin, NSClusterService.method.deleteNSCluster, { nsClusterId: other }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining('DNS node "ns2"') });

  await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId });
  expect(await find(nsNodeId)).toBeUndefined();
  expect(events).toContain(`${nsNodeId} deleted`);
  expect(events.filter((line) => line.startsWith(`addresses of dns ${nsNodeId}`))).toEqual([
    `addresses of dns ${nsNodeId} moved to ${other}`,
    `addresses of dns ${nsNodeId} moved to ${other}`,
    `addresses of dns ${nsNodeId} deleted`,
  ]);
  await expect(edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId })).rejects.toMatchObject({ code: 404 });
  await edgehelm.call(admin, NSClusterService.method.deleteNSCluster, { nsClusterId: other });
});

test.each([
  ["name", { name: " " }],
  ["nodeClusterId", { nodeClusterId: 999n }],
  ["nodeLogin.type", { nodeLogin: { type: "telnet" } }],
  ["nodeLogin.id", { nodeLogin: { id: 99n, type: "ssh" } }],
  ["nodeLogin.params.port", { nodeLogin: login({ port: 70000 }) }],
  ["nodeLogin.params.host", { nodeLogin: login({ host: "a b" }) }],
  ["nodeLogin.params.grantId", { nodeLogin: login({ grantId: 99 }) }],
])("createNSNode refuses an invalid %s", async (field, wrong) => {
  await expect(create("bad", wrong)).rejects.toMatchObject({
    code: 400,
    message: expect.stringMatching(`^${field.replaceAll(".", "\\.")}: `),
  });
});
