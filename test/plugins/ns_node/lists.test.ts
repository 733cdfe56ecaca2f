import { describe, expect, test } from "vitest";
import { admin, clock, clusterOf, create, edgehelm, report, rpc, useKernel } from "./rig.ts";

useKernel();

describe("lists", () => {
  test("can be filtered by cluster, state and name", async () => {
    const own = await clusterOf(edgehelm);
    const ids = [];
    for (const name of ["alpha", "beta", "gamma"]) ids.push(await create(name, { nodeClusterId: own }));
    const [alpha, beta, gamma] = ids as [bigint, bigint, bigint];
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId: beta, isInstalled: true });
    await report(beta, { isActive: true });
    const list = async (filter: object) => {
      const { nsNodes } = await edgehelm.call(admin, rpc.listNSNodesMatch, { nsClusterId: own, ...filter });
      const { count } = await edgehelm.call(admin, rpc.countAllNSNodesMatch, { nsClusterId: own, ...filter });
      expect(count).toBe(BigInt(nsNodes.length));
      return nsNodes.map(({ id }) => id);
    };
    expect(await list({})).toEqual([gamma, beta, alpha]);
    expect(await list({ installState: 1 })).toEqual([beta]);
    expect(await list({ installState: 2, keyword: "A" })).toEqual([gamma, alpha]);
    expect(await list({ activeState: 1 })).toEqual([beta]);
    expect(await list({ activeState: 2, keyword: "gam" })).toEqual([gamma]);
    clock.advance(61);
    expect(await list({ activeState: 1 })).toEqual([]);
    const all = await edgehelm.call(admin, rpc.findAllNSNodesWithNSClusterId, { nsClusterId: own });
    expect(all.nsNodes.map(({ id }) => id)).toEqual([gamma, beta, alpha]);
    await expect(list({ activeState: 3 })).rejects.toMatchObject({ code: 400 });
  });
});
