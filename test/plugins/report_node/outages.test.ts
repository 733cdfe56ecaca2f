import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { emittedBy } from "../../core/events/emitted.ts";
import { admin, bytes, reportKernel, reportNode, rpc } from "./rig.ts";

/** An installation whose report node says which addresses it reaches. */
async function outageKernel(count: number, takesBrokenDown: boolean) {
  const { edgehelm, clock, downAddresses } = await reportKernel({ count });
  const settingJSON = bytes({ takesBrokenDown });
  await edgehelm.call(admin, rpc.updateReportNodeGlobalSetting, { settingJSON });
  const node = await reportNode(edgehelm, "one");
  return {
    edgehelm,
    clock,
    downAddresses,
    /** Reports each address as reached or not, and runs the job. */
    async report(reached: Record<number, boolean>) {
      const reportResults = Object.entries(reached).map(([id, isOk]) => (
        { type: "ipAddr", targetId: BigInt(id), isOk, costMs: 20, level: isOk ? "good" : "broken" }
      ));
      await edgehelm.call(as.report(node), rpc.updateReportResults, { reportResults });
      await edgehelm.kernel.runJob("report_node.act_on_outages");
    },
    events: async () =>
      (await emittedBy(edgehelm, "report_node")).map(({ name, data }) => ({
        name: name.split(".")[1],
        ...data as object,
      })),
  };
}

test("a broken address is taken down once, and put up again when it is reached", async () => {
  const { edgehelm, downAddresses, report, events } = await outageKernel(3, true);
  await using _ = edgehelm;
  await report({ 1: true, 2: false, 3: true });
  expect(downAddresses()).toEqual([2]);
  const broke = { nodeIPAddressId: "2", ip: "192.0.2.2", isTakenDown: true };
  expect(await events()).toEqual([{ name: "address_broke", ...broke }]);
  await report({ 2: false });
  expect(await events()).toHaveLength(1);
  await report({ 2: true });
  expect(downAddresses()).toEqual([]);
  expect((await events()).slice(1)).toEqual([{ name: "address_recovered", nodeIPAddressId: "2", ip: "192.0.2.2" }]);
  await report({ 2: false });
  expect(downAddresses()).toEqual([2]);
});

test("without the setting, a broken address is an event and stays up", async () => {
  const { edgehelm, downAddresses, report, events } = await outageKernel(3, false);
  await using _ = edgehelm;
  await report({ 1: true, 2: false, 3: true });
  expect(downAddresses()).toEqual([]);
  expect(await events()).toEqual([expect.not.objectContaining({ isTakenDown: true })]);
  await report({ 2: true });
  expect(await events()).toMatchObject([{ name: "address_broke" }, { name: "address_recovered" }]);
});

test("an address whose results have ended is put up without an event", async () => {
  const { edgehelm, clock, downAddresses, report, events } = await outageKernel(3, true);
  await using _ = edgehelm;
  await report({ 1: true, 2: false, 3: true });
  clock.advance(601);
  await report({ 1: true });
  expect(downAddresses()).toEqual([]);
  expect(await events()).toHaveLength(1);
});

test("the only address that is measured stays up", async () => {
  const { edgehelm, downAddresses, report, events } = await outageKernel(1, true);
  await using _ = edgehelm;
  await report({ 1: false });
  expect(downAddresses()).toEqual([]);
  expect(await events()).toEqual([expect.not.objectContaining({ isTakenDown: true })]);
});

test("if most addresses are broken, none is taken down", async () => {
  const { edgehelm, downAddresses, report, events } = await outageKernel(5, true);
  await using _ = edgehelm;
  await report({ 1: false, 2: false, 3: false, 4: true, 5: true });
  expect([downAddresses(), await events()]).toEqual([[], []]);
  await report({ 3: true });
  expect(downAddresses()).toEqual([1, 2]);
});
