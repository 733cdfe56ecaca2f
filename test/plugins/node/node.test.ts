import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";
import {
  addresses,
  admin,
  bytes,
  callWith,
  cluster,
  deleted,
  edgehelm,
  find,
  json,
  login,
  newCluster,
  newGrant,
  rpc,
} from "./rig.ts";

describe("the life of a node", () => {
  test("it is created, logs in, reports its status and is deleted together with its tokens", async () => {
    const nodeClusterId = await newCluster("Frankfurt");
    const grantId = await newGrant();
    const { nodeId } = await edgehelm.call(admin, rpc.createNode, {
      name: " fra-1 ",
      nodeClusterId,
      nodeRegionId: 7n,
      dnsRoutes: ["de"],
      nodeLogin: { name: "door", type: "ssh", params: bytes({ host: "10.0.0.1", port: 22, grantId: Number(grantId) }) },
    });
    const ownAddresses = [{ id: 5n, ip: "192.0.2.7" }];
    addresses.set(nodeId, ownAddresses);
    const node = (await find(nodeId))!;
    expect(node).toMatchObject({
      id: nodeId,
      name: "fra-1",
      isOn: true,
      isUp: true,
      isActive: false,
      isInstalled: false,
      level: 1,
      uniqueId: expect.stringMatching(/^[0-9a-f]{32}$/),
      secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      nodeCluster: { id: nodeClusterId, name: "Frankfurt" },
      nodeRegion: { id: 7n, name: "region 7" },
      dnsRoutes: [{ code: "de" }],
      ipAddresses: ownAddresses,
      nodeLogin: { name: "door", type: "ssh" },
    });
    expect(json(node.nodeLogin!.params)).toEqual({ host: "10.0.0.1", port: 22, grantId: Number(grantId) });

    const token = await login(node.uniqueId, node.secret);
    expect(await callWith(token, "updateNodeStatus", { statusJSON: { cpuUsage: 0.5 } })).toMatchObject({ code: 200 });
    expect(await find(nodeId)).toMatchObject({ isActive: true });
    expect(await callWith(token, "findEnabledNode", { nodeId: Number(nodeId) })).toMatchObject({ code: 403 });

    await edgehelm.call(admin, rpc.updateNodeIsOn, { nodeId, isOn: false });
    expect(await callWith(token, "findCurrentNodeConfig")).toMatchObject({ code: 401 });
    await expect(login(node.uniqueId, node.secret)).rejects.toMatchObject({ code: 401 });
    await edgehelm.call(admin, rpc.updateNodeIsOn, { nodeId, isOn: true });
    expect(await callWith(token, "findCurrentNodeConfig")).toMatchObject({ code: 401 });
    const newToken = await login(node.uniqueId, node.secret);

    await edgehelm.call(admin, rpc.deleteNode, { nodeId });
    expect(deleted).toContain(nodeId);
    expect(await find(nodeId)).toBeUndefined();
    expect(await callWith(newToken, "findCurrentNodeConfig")).toMatchObject({ code: 401 });
    await expect(login(node.uniqueId, node.secret)).rejects.toMatchObject({ code: 401 });
    await edgehelm.call(admin, NodeGrantService.method.disableNodeGrant, { nodeGrantId: grantId });
    await edgehelm.call(admin, cluster.deleteNodeCluster, { nodeClusterId });
  });
});

test("only edge nodes may call the operations for nodes", async () => {
  await expect(edgehelm.call(as.dns(), rpc.findCurrentNodeConfig, {})).rejects.toMatchObject({ code: 403 });
  await expect(edgehelm.call(admin, rpc.updateNodeStatus, {})).rejects.toMatchObject({ code: 403 });
});
