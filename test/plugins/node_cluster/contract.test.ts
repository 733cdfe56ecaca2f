import { describe, expect, test } from "vitest";
import { admin, clusters, edgehelm, newCluster, rpc, useKernel } from "./rig.ts";

useKernel();

async function version(id: bigint): Promise<bigint | undefined> {
  return (await clusters.configVersions(edgehelm.kernel.systemCall("test"), [id])).get(id);
}

describe("the contract NodeClusters", () => {
  test("returns clusters, the clusters that use a policy, and the settings for nodes", async () => {
    const call = edgehelm.kernel.systemCall("test");
    const [one, two] = [await newCluster("one"), await newCluster("two")];
    for (const nodeClusterId of [one, two]) {
      await edgehelm.call(admin, rpc.updateNodeClusterHTTPFirewallPolicyId, {
        nodeClusterId,
        httpFirewallPolicyId: 77n,
      });
    }
    expect(await clusters.usingPolicy(call, "http_firewall_policy", 77n))
      .toEqual([{ id: one, name: "one", isOn: true }, { id: two, name: "two", isOn: true }]);
    expect(await clusters.policyOf(call, "http_firewall_policy", two)).toBe(77n);
    expect(await clusters.policyOf(call, "http_cache_policy", two)).toBe(0n);
    expect(await clusters.policyOf(call, "http_cache_policy", 9999n)).toBe(0n);
    expect([...(await clusters.summaries(call, [one, 9999n])).keys()]).toEqual([one]);
    await expect(clusters.requireCluster(call, "nodeClusterId", 9999n))
      .rejects.toMatchObject({ message: "nodeClusterId: node cluster 9999 does not exist" });
    expect(await clusters.configOf(call, two)).toMatchObject({ id: two, httpFirewallPolicyId: 77n, version: 2n });
    expect(await clusters.configOf(call, 9999n)).toBeUndefined();
  });

  test("increments the version with every change that affects nodes", async () => {
    const id = await newCluster();
    expect(await version(id)).toBe(1n);
    await edgehelm.kernel.systemCall("test").transact((inner) => clusters.configChanged(inner, [id, 9999n]));
    expect(await version(id)).toBe(2n);
    await edgehelm.kernel.systemCall("test").transact((inner) => clusters.configChangedEverywhere(inner));
    expect(await version(id)).toBe(3n);
    await edgehelm.call(admin, rpc.updateNodeCluster, { nodeClusterId: id, name: "new" });
    expect(await version(id)).toBe(4n);
    await edgehelm.call(admin, rpc.updateNodeClusterPinned, { nodeClusterId: id, isPinned: true });
    expect(await version(id)).toBe(4n);
    await edgehelm.call(admin, rpc.deleteNodeCluster, { nodeClusterId: id });
    expect(await version(id)).toBeUndefined();
  });
});
