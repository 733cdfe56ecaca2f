import { expect, test } from "vitest";
import { admin, clock, edgehelm, find, group, parsed, report, reportNode, rpc, useKernel } from "./rig.ts";

useKernel();

test("lists contain inactive nodes first and filter by group and keyword", async () => {
  const own = await group("own");
  const ids = [];
  for (const name of ["one", "two", "three"]) ids.push(await reportNode(edgehelm, name, { reportNodeGroupIds: [own] }));
  const [one, two, three] = ids as [bigint, bigint, bigint];
  await report(three, { ip: "198.51.100.3", location: "Oslo", isp: "Telenor", custom: true });
  const list = async (filter: object) => {
    const request = { reportNodeGroupId: own, ...filter };
    const { reportNodes } = await edgehelm.call(admin, rpc.listEnabledReportNodes, request);
    expect((await edgehelm.call(admin, rpc.countAllEnabledReportNodes, request)).count)
      .toBe(BigInt(reportNodes.length));
    return reportNodes.map(({ id }) => id);
  };
  expect(await list({})).toEqual([two, one, three]);
  expect(await list({ keyword: "51.100" })).toEqual([three]);
  expect(await list({ keyword: "TW" })).toEqual([two]);
  const node = (await find(three))!;
  expect(node).toMatchObject({ isActive: true, location: "Oslo", isp: "Telenor" });
  expect(parsed(node.statusJSON)).toMatchObject({ custom: true, updatedAt: Math.floor(clock.now() / 1000) });
  clock.advance(61);
  expect((await find(three))?.isActive).toBe(false);
  await edgehelm.kernel.runJob("report_node.watch");
  expect(await list({})).toEqual([three, two, one]);
});
