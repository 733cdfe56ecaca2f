import { as, type TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, reportKernel, reportNode, rpc } from "../report_node/rig.ts";

let edgehelm: TestKernel;
let clock: TestClock;
beforeAll(async () => {
  ({ edgehelm, clock } = await reportKernel({ count: 5 }));
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const result = (targetId: bigint, isOk: boolean, costMs = 0) => ({ type: "ipAddr", targetId, isOk, costMs });
const send = (id: bigint, ...reportResults: object[]) =>
  edgehelm.call(as.report(id), rpc.updateReportResults, { reportResults });

async function list(reportNodeId: bigint, filter = {}) {
  const { reportResults } = await edgehelm.call(admin, rpc.listReportResults, { reportNodeId, ...filter });
  const { count } = await edgehelm.call(admin, rpc.countAllReportResults, { reportNodeId, ...filter });
  expect(count).toBe(BigInt(reportResults.length));
  return reportResults.map(({ targetId, level }) => `${targetId} ${level}`);
}

test("only the latest result of each report node and target is kept", async () => {
  const [one, two] = [await reportNode(edgehelm, "one"), await reportNode(edgehelm, "two")];
  await send(one, result(1n, true, 100), result(2n, false), result(3n, true, 300.5), result(4n, true, 300));
  expect(await list(one)).toEqual(["2 broken", "3 bad", "4 normal", "1 good"]);
  expect(await list(one, { okState: 2 })).toEqual(["2 broken"]);
  expect(await list(one, { okState: 1, level: "bad" })).toEqual(["3 bad"]);
  clock.advance(5);
  await send(two, { ...result(1n, false), reportNodeId: one, error: "refused", level: "good" });
  await send(one, result(2n, true, 1));
  expect(await list(one, { okState: 2 })).toEqual([]);
  const { reportResults } = await edgehelm.call(admin, rpc.findAllReportResults, { type: "ipAddr", targetId: 1n });
  expect(reportResults).toMatchObject([
    { reportNodeId: two, isOk: false, level: "broken", error: "refused" },
    { reportNodeId: one, isOk: true, level: "good", costMs: 100 },
  ]);
  await edgehelm.call(admin, rpc.deleteReportNode, { reportNodeId: two });
  const remaining = await edgehelm.call(admin, rpc.findAllReportResults, { type: "ipAddr", targetId: 1n });
  expect(remaining.reportResults.map(({ reportNodeId }) => reportNodeId)).toEqual([one]);
});

test("invalid results are refused with the field name, and none of the request is stored", async () => {
  const id = await reportNode(edgehelm, "wrong");
  for (
    const [field, wrong] of [
      ["type", { type: "url" }],
      ["targetId", { targetId: 0n }],
      ["costMs", { costMs: -1 }],
    ] as const
  ) {
    await expect(send(id, result(1n, true), { ...result(2n, true), ...wrong }))
      .rejects.toMatchObject({ code: 400, message: expect.stringMatching(`^reportResults\\[1\\]\\.${field}: `) });
  }
  expect(await list(id)).toEqual([]);
  await expect(list(0n)).rejects.toMatchObject({ code: 400 });
  await expect(list(id, { okState: 3 })).rejects.toMatchObject({ code: 400 });
});

test("results that are not updated are deleted after seven days", async () => {
  const id = await reportNode(edgehelm, "old");
  await send(id, result(1n, true));
  clock.advance(6 * 86_400);
  await send(id, result(2n, true));
  clock.advance(86_400 + 1);
  await edgehelm.kernel.runJob("report_result.remove_old");
  expect(await list(id)).toEqual(["2 good"]);
});
