import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { admin, reportKernel, reportNode, rpc } from "./rig.ts";

describe("tasks", () => {
  test("are the accessible addresses with their recent measurements", async () => {
    const own = await reportKernel({ count: 25 });
    await using edgehelm = own.edgehelm;
    const results = [[true, 50], [true, 350], [false, 0], [true, 200]] as const;
    for (const [index, [isOk, costMs]] of results.entries()) {
      const id = await reportNode(edgehelm, `r${index}`);
      const result = { type: "ipAddr", targetId: 1n, isOk, costMs };
      await edgehelm.call(as.report(id), rpc.updateReportResults, { reportResults: [result] });
    }
    const list = async (request: object) =>
      (await edgehelm.call(admin, rpc.listReportNodeTasks, request)).ipAddrReportTasks;
    const [first, second] = await list({});
    expect(first).toMatchObject({
      ip: "192.0.2.1",
      port: 80,
      costMs: 200,
      connectivity: 75,
      level: "normal",
      nodeIPAddress: { id: 1n },
    });
    expect(second).toMatchObject({ ip: "192.0.2.2", costMs: 0, connectivity: 100, level: "normal" });
    own.clock.advance(601);
    expect((await list({}))[0]).toMatchObject({ connectivity: 100, costMs: 0 });
    expect((await list({ offset: 20n, role: "node", type: "ipAddr", nodeClusterId: 1n })).length).toBe(5);
    expect(await list({ role: "dns" })).toEqual([]);
    expect(await list({ nodeClusterId: 2n })).toEqual([]);
    expect((await edgehelm.call(admin, rpc.countAllReportNodeTasks, {})).count).toBe(25n);
    expect((await edgehelm.call(admin, rpc.countAllReportNodeTasks, { type: "url" })).count).toBe(0n);
  });
});
