import { describe, expect, test } from "vitest";
import { admin, cluster, edgehelm, find, newCluster, newNode, nodes, rpc } from "./rig.ts";

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
