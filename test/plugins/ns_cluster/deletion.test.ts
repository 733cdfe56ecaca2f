import { describe, expect, test } from "vitest";
import { admin, clusters, edgehelm, newCluster, rpc, usedBy } from "./rig.ts";

describe("deleteNSCluster", () => {
  test("is refused while the cluster is in use, with the names of its users", async () => {
    const nsClusterId = await newCluster();
    usedBy.set(nsClusterId, ['domain "x.com"', 'node "n1"']);
    await expect(edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId })).rejects.toMatchObject({
      code: 409,
      reason: "ns_cluster.in_use",
      message: `DNS cluster ${nsClusterId} is used by domain "x.com", node "n1"`,
    });
    usedBy.delete(nsClusterId);
    await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId });
  });

  test("deletes the cluster from all responses", async () => {
    const nsClusterId = await newCluster();
    await edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId });
    expect((await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId })).nsCluster).toBeUndefined();
    expect((await edgehelm.call(admin, rpc.findNSClusterHosts, { nsClusterId })).hosts).toEqual([]);
    const { nsClusters } = await edgehelm.call(admin, rpc.findAllNSClusters, {});
    expect(nsClusters.map(({ id }) => id)).not.toContain(nsClusterId);
    expect((await clusters.summaries(edgehelm.kernel.systemCall("test"), [nsClusterId])).size).toBe(0);
    await expect(edgehelm.call(admin, rpc.deleteNSCluster, { nsClusterId })).rejects.toMatchObject({ code: 404 });
  });
});
