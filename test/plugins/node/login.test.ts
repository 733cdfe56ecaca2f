import { describe, expect, test } from "vitest";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";
import { admin, bytes, edgehelm, find, login, newCluster, newGrant, newNode, rpc } from "./rig.ts";

describe("the life of a node", () => {
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
