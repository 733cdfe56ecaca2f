import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { admin, clock, edgehelm, find, report, reportNode, rpc, useKernel } from "../report_node/rig.ts";

useKernel();

const target = { type: "ipAddr", targetId: 1n };
const send = (id: bigint, result: object) =>
  edgehelm.call(as.report(id), rpc.updateReportResults, { reportResults: [{ ...target, ...result }] });

async function regions() {
  const found = await edgehelm.call(admin, rpc.findReportResultRegions, target);
  return found.regions.map((region) => {
    const { location, isp, countReached, countReportNodes, level, connectivity, costMs } = region;
    return `${location}/${isp} ${countReached} of ${countReportNodes} ${level} ${connectivity} % ${costMs} ms`;
  });
}

test("results are seen by the report node with its place, and by region: the worst first", async () => {
  expect(await regions()).toEqual([]);
  const tokyo = await reportNode(edgehelm, "tokyo 1", { location: "Tokyo", isp: "NTT" });
  const other = await reportNode(edgehelm, "tokyo 2", { location: "Tokyo", isp: "NTT" });
  const detected = await reportNode(edgehelm, "somewhere");
  const set = await reportNode(edgehelm, "paris 1", { location: "Paris" });
  const unknown = await reportNode(edgehelm, "unknown");
  await report(detected, { location: "Berlin", isp: "DTAG" });
  await report(set, { location: "Lyon", isp: "Orange" });
  await send(tokyo, { isOk: true, costMs: 40 });
  await send(other, { isOk: true, costMs: 60 });
  await send(detected, { isOk: false, error: "refused" });
  await send(set, { isOk: true, costMs: 200, reportNodeName: "sent", location: "sent", isp: "sent" });
  await send(unknown, { isOk: true, costMs: 80 });

  expect(await regions()).toEqual([
    "Berlin/DTAG 0 of 1 broken 0 % 0 ms",
    "Paris/Orange 1 of 1 normal 100 % 200 ms",
    "/ 1 of 1 good 100 % 80 ms",
    "Tokyo/NTT 2 of 2 good 100 % 50 ms",
  ]);
  const { reportResults } = await edgehelm.call(admin, rpc.findAllReportResults, target);
  expect(reportResults.map(({ reportNodeName, location, isp }) => [reportNodeName, location, isp])).toEqual([
    ["unknown", "", ""],
    ["paris 1", "Paris", "Orange"],
    ["somewhere", "Berlin", "DTAG"],
    ["tokyo 2", "Tokyo", "NTT"],
    ["tokyo 1", "Tokyo", "NTT"],
  ]);
  const own = await edgehelm.call(admin, rpc.listReportResults, { reportNodeId: detected });
  expect(own.reportResults).toMatchObject([{ reportNodeName: "somewhere", location: "Berlin", isp: "DTAG" }]);
  expect(await find(set)).toMatchObject({ location: "Paris", isp: "Orange" });
});

test("half of a region that cannot connect makes it worse, and results end after ten minutes", async () => {
  const [one, two, three] = [
    await reportNode(edgehelm, "seoul 1", { location: "Seoul" }),
    await reportNode(edgehelm, "seoul 2", { location: "Seoul" }),
    await reportNode(edgehelm, "seoul 3", { location: "Seoul" }),
  ];
  clock.advance(601);
  expect(await regions()).toEqual([]);
  await send(one, { isOk: true, costMs: 10 });
  await send(two, { isOk: false });
  await send(three, { isOk: false });
  expect(await regions()).toEqual([expect.stringMatching(/^Seoul\/ 1 of 3 broken 33\.3/)]);
  await edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId: three });
  expect(await regions()).toEqual(["Seoul/ 1 of 2 good 50 % 10 ms"]);
  await expect(edgehelm.call(admin, rpc.findReportResultRegions, { type: "url", targetId: 1n }))
    .rejects.toMatchObject({ code: 400 });
});
