import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import plugin from "../../../plugins/node_cluster/plugin.ts";
import { admin, rpc } from "./rig.ts";

test("lists show pinned clusters first unless the request sets a sort flag", async () => {
  await using kernel = await testKernel({ plugins: [plugin] });
  const ids: bigint[] = [];
  for (const name of ["alpha", "beta", "gamma"]) {
    ids.push((await kernel.call(admin, rpc.createNodeCluster, { name, dnsName: `dns-${name}` })).nodeClusterId);
  }
  const [alpha, beta, gamma] = ids;
  await kernel.call(admin, rpc.updateNodeClusterPinned, { nodeClusterId: alpha!, isPinned: true });
  const list = async (request: object) =>
    (await kernel.call(admin, rpc.listEnabledNodeClusters, request)).nodeClusters.map(({ id }) => id);
  expect(await list({})).toEqual([alpha, gamma, beta]);
  expect(await list({ idDesc: true })).toEqual([gamma, beta, alpha]);
  expect(await list({ idAsc: true, offset: 1n, size: 1n })).toEqual([beta]);
  expect(await list({ keyword: "NS-G" })).toEqual([gamma]);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeClusters, { keyword: "eta" })).count).toBe(1n);
  expect((await kernel.call(admin, rpc.countAllEnabledNodeClusters, {})).count).toBe(3n);
  const all = await kernel.call(admin, rpc.findAllEnabledNodeClusters, {});
  expect(all.nodeClusters.map(({ isPinned }) => isPinned)).toEqual([true, false, false]);
  const latest = await kernel.call(admin, rpc.findLatestNodeClusters, { size: 2n });
  expect(latest.nodeClusters.map(({ id }) => id)).toEqual([gamma, beta]);
  await expect(list({ idAsc: true, idDesc: true })).rejects.toMatchObject({ code: 400 });
});
