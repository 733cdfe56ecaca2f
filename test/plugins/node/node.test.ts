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
  newNode,
  nodes,
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
    const newToken = await login(node.uniqueId, node.secret);

    await edgehelm.call(admin, rpc.deleteNode, { nodeId });
    expect(deleted).toContain(nodeId);
    expect(await find(nodeId)).toBeUndefined();
    expect(await callWith(newToken, "findCurrentNodeConfig")).toMatchObject({ code: 401 });
    await expect(login(node.uniqueId, node.secret)).rejects.toMatchObject({ code: 401 });
    await edgehelm.call(admin, NodeGrantService.method.disableNodeGrant, { nodeGrantId: grantId });
    await edgehelm.call(admin, cluster.deleteNodeCluster, { nodeClusterId });
  });

  test("it can log in only with its own secret and only as a node", async () => {
    const cluster = await newCluster();
    const [node, other] = [(await find(await newNode(cluster)))!, (await find(await newNode(cluster)))!];
    await login(node.uniqueId, node.secret);
    const refused = { code: 401, reason: "access_token.refused" };
    await expect(login(node.uniqueId, other.secret)).rejects.toMatchObject(refused);
    await expect(login("0".repeat(32), node.secret)).rejects.toMatchObject(refused);
    await expect(login(node.uniqueId, "")).rejects.toMatchObject(refused);
    await expect(login(node.uniqueId, node.secret, "admin")).rejects.toMatchObject({ code: expect.any(Number) });
  });

  test("lists never show its secret", async () => {
    const nodeId = await newNode(await newCluster(), "hidden");
    const { secret } = (await find(nodeId))!;
    const lists = await Promise.all([
      edgehelm.post("/NodeService/listEnabledNodesMatch", { size: 1000 }, admin),
      edgehelm.post("/NodeService/findEnabledNodesWithIds", { nodeIds: [Number(nodeId)] }, admin),
    ]);
    expect(JSON.stringify(lists)).toContain("hidden");
    expect(JSON.stringify(lists)).not.toContain(secret);
  });
});

describe("createNode refuses", () => {
  test.each([
    [{ name: "" }, "name: must not be empty"],
    [{ nodeClusterId: 9999n }, "nodeClusterId: node cluster 9999 does not exist"],
    [{ nodeClusterId: 0n }, "nodeClusterId: must be a positive id, got 0"],
    [{ nodeRegionId: 101n }, "nodeRegionId: region 101 does not exist"],
    [{ nodeGroupId: 3n }, "nodeGroupId: node group 3 does not exist"],
    [{ nodeLogin: { type: "telnet" } }, 'nodeLogin.type: must be one of ssh, got "telnet"'],
    [{ nodeLogin: { type: "ssh", params: bytes({ port: 70000 }) } }, "nodeLogin.params.port: must be 0 or 1 to 65535"],
    [{ nodeLogin: { type: "ssh", params: bytes({ grantId: 9999 }) } }, "nodeLogin.params.grantId: grant 9999 does not"],
  ])("%o", async (wrong, message) => {
    const request = { name: "node", nodeClusterId: await newCluster(), ...wrong };
    await expect(edgehelm.call(admin, rpc.createNode, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

describe("the clusters of a node", () => {
  const update = { name: "moved", isOn: true };

  test("updateNode changes them and refuses invalid secondary clusters", async () => {
    const [one, two, three] = [await newCluster("one"), await newCluster("two"), await newCluster("three")];
    const nodeId = await newNode(one);
    const request = { ...update, nodeId, nodeClusterId: two, level: 2, lnAddrs: ["10.0.0.9"] };
    await edgehelm.call(admin, rpc.updateNode, { ...request, secondaryNodeClusterIds: [three, one] });
    expect(await find(nodeId)).toMatchObject({
      name: "moved",
      level: 2,
      lnAddrs: ["10.0.0.9"],
      enableIPLists: false,
      nodeCluster: { name: "two" },
      secondaryNodeClusters: [{ name: "three" }, { name: "one" }],
    });
    for (const secondaryNodeClusterIds of [[two], [one, one], [9999n], [0n]]) {
      await expect(edgehelm.call(admin, rpc.updateNode, { ...request, secondaryNodeClusterIds }))
        .rejects.toMatchObject({ code: 400 });
    }
    const call = edgehelm.kernel.systemCall("test");
    expect(await nodes.idsOfCluster(call, one, 0n, 10)).toEqual([nodeId]);
    expect(await nodes.idsOfCluster(call, one, nodeId, 10)).toEqual([]);
    const list = async (includeSecondary: boolean) => {
      const query = { nodeClusterId: three, includeSecondary };
      return (await edgehelm.call(admin, rpc.findAllEnabledNodesWithNodeClusterId, query)).nodes.map(({ id }) => id);
    };
    expect(await list(false)).toEqual([]);
    expect(await list(true)).toEqual([nodeId]);
    for (const nodeClusterId of [one, two, three]) {
      await expect(edgehelm.call(admin, cluster.deleteNodeCluster, { nodeClusterId }))
        .rejects.toMatchObject({ code: 409, message: expect.stringContaining('is used by node "moved"') });
    }
  });

  test("deleteNodeFromNodeCluster makes the first secondary cluster primary and deletes a node without one", async () => {
    const [one, two] = [await newCluster("one"), await newCluster("two")];
    const nodeId = await newNode(one);
    await edgehelm.call(admin, rpc.updateNode, {
      ...update,
      nodeId,
      nodeClusterId: one,
      secondaryNodeClusterIds: [two],
    });
    const leave = (nodeClusterId: bigint) =>
      edgehelm.call(admin, rpc.deleteNodeFromNodeCluster, { nodeId, nodeClusterId });
    await expect(leave(9999n)).rejects.toMatchObject({ code: 404, reason: "node.not_in_cluster" });
    await leave(one);
    expect(await find(nodeId)).toMatchObject({ nodeCluster: { name: "two" }, secondaryNodeClusters: [] });
    await edgehelm.call(admin, cluster.deleteNodeCluster, { nodeClusterId: one });
    await leave(two);
    expect(await find(nodeId)).toBeUndefined();
  });
});

test("a login is set, replaced and deleted, and its grant is in use until then", async () => {
  const nodeClusterId = await newCluster();
  const [nodeId, other] = [await newNode(nodeClusterId, "logged"), await newNode(nodeClusterId)];
  const grantId = await newGrant();
  const params = bytes({ host: "node.example", port: 2222, grantId: Number(grantId) });
  const nodeLogin = { name: "door", type: "ssh", params };
  await edgehelm.call(admin, rpc.updateNodeLogin, { nodeId, nodeLogin });
  const { id } = (await find(nodeId))!.nodeLogin!;
  await edgehelm.call(admin, rpc.updateNodeLogin, { nodeId, nodeLogin: { ...nodeLogin, id, name: "gate" } });
  expect((await find(nodeId))!.nodeLogin).toMatchObject({ id, name: "gate" });
  await expect(edgehelm.call(admin, rpc.updateNodeLogin, { nodeId: other, nodeLogin: { ...nodeLogin, id } }))
    .rejects.toMatchObject({ code: 400, reason: "node.login_missing" });

  const withGrant = await edgehelm.call(admin, rpc.findAllEnabledNodesWithNodeGrantId, { nodeGrantId: grantId });
  expect(withGrant.nodes.map(({ name }) => name)).toEqual(["logged"]);
  const { nodeGrants } = await edgehelm.call(admin, NodeGrantService.method.findSuggestNodeGrants, { nodeClusterId });
  expect(nodeGrants.map((grant) => grant.id)).toEqual([grantId]);
  const disable = () => edgehelm.call(admin, NodeGrantService.method.disableNodeGrant, { nodeGrantId: grantId });
  await expect(disable()).rejects.toMatchObject({ code: 409, message: `grant ${grantId} is used by node "logged"` });
  await edgehelm.call(admin, rpc.updateNodeLogin, { nodeId });
  expect((await find(nodeId))!.nodeLogin).toBeUndefined();
  expect((await edgehelm.call(admin, rpc.countAllEnabledNodesWithNodeGrantId, { nodeGrantId: grantId })).count).toBe(
    0n,
  );
  await disable();
});

describe("a node that does not exist", () => {
  test.each([
    [rpc.updateNode, { name: "x", nodeClusterId: 1n }],
    [rpc.updateNodeIsOn, {}],
    [rpc.deleteNode, {}],
    [rpc.deleteNodeFromNodeCluster, { nodeClusterId: 1n }],
    [rpc.updateNodeLogin, {}],
    [rpc.updateNodeRegionInfo, {}],
    [rpc.updateNodeSystem, {}],
    [rpc.updateNodeCache, {}],
    [rpc.updateNodeUp, {}],
    [rpc.updateNodeDDoSProtection, {}],
    [rpc.updateNodeAPIConfig, {}],
    [rpc.updateNodeIsInstalled, {}],
    [rpc.findNodeInstallStatus, {}],
    [rpc.installNode, {}],
  ])("is not found by $name", async (method, request) => {
    await expect(edgehelm.call(admin, method as typeof rpc.updateNodeIsOn, { ...request, nodeId: 9999n }))
      .rejects.toMatchObject({ code: 404, reason: "node.not_found", message: "node 9999 does not exist" });
  });

  test("is absent from the responses of find operations", async () => {
    expect((await edgehelm.call(admin, rpc.findEnabledBasicNode, { nodeId: 9999n })).node).toBeUndefined();
    const { nodes: found } = await edgehelm.call(admin, rpc.findEnabledNodesWithIds, { nodeIds: [9999n] });
    expect(found).toEqual([]);
    await expect(nodes.requireNode(edgehelm.kernel.systemCall("test"), "nodeId", 9999n))
      .rejects.toMatchObject({ message: "nodeId: node 9999 does not exist" });
  });
});

test("only edge nodes may call the operations for nodes", async () => {
  await expect(edgehelm.call(as.dns(), rpc.findCurrentNodeConfig, {})).rejects.toMatchObject({ code: 403 });
  await expect(edgehelm.call(admin, rpc.updateNodeStatus, {})).rejects.toMatchObject({ code: 403 });
});
