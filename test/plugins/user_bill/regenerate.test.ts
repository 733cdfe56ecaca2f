import type { TestKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { admin, billKernel, billsOf, charge, GB, generate, june15, Network } from "./rig.ts";

const { listUserBills, payUserBill } = UserBillService.method;
const perGB = { trafficPricePerGB: 0.1 };

/** Returns the fields of all bills that do not depend on the time of the run. */
async function billSummaries(edgehelm: TestKernel): Promise<unknown[]> {
  const { userBills } = await edgehelm.call(admin, listUserBills, { paidFlag: -1, size: 1000n });
  return userBills.map((bill) => [bill.user?.id, bill.amount, bill.dayFrom, bill.dayTo, bill.description]).sort();
}

describe("generating bills again", () => {
  test("goes on soon after an interruption, and begins again later or when it has finished", async () => {
    const network = new Network();
    for (let userId = 1n; userId <= 600n; userId++) network.send(userId, "20260510", GB);
    const clock = june15();
    await using edgehelm = await billKernel(network, perGB, clock);
    let reads = 0;
    const run = async (lastRead = Infinity) => {
      reads = 0;
      network.beforeRead = () => {
        if (++reads === lastRead) throw new Error("interrupted");
      };
      await generate(edgehelm, { month: "202605" }).catch(() => {});
      return reads;
    };
    const count = async () =>
      (await edgehelm.call(admin, UserBillService.method.countAllUserBills, { paidFlag: -1 })).count;
    expect([await run(3), await count()]).toEqual([3, 500n]);
    expect([await run(), await count()]).toEqual([2, 600n]);
    expect(await run()).toBe(4);
    await run(3);
    clock.advance(3600);
    expect(await run()).toBe(4);
  });

  test("changes nothing", async () => {
    const network = new Network();
    for (const userId of [7n, 8n]) network.send(userId, "20260510", userId * GB);
    const clock = june15();
    await using edgehelm = await billKernel(network, perGB, clock);
    await generate(edgehelm, { month: "202605" });
    const before = [await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)];
    clock.advance(3600);
    await generate(edgehelm, { month: "202605" });
    expect([await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)]).toEqual(before);
  });

  test("includes late statistics unless the bill was paid", async () => {
    const network = new Network();
    for (const userId of [7n, 8n]) network.send(userId, "20260510", 10n * GB);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    const [paid] = await billsOf(edgehelm, 8n);
    await charge(edgehelm, 8n, 5);
    await edgehelm.call(admin, payUserBill, { userBillId: paid!.id });
    for (const userId of [7n, 8n]) network.send(userId, "20260511", 10n * GB);
    await generate(edgehelm, { month: "202605" });
    expect([await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)])
      .toMatchObject([[{ amount: 2, isPaid: false }], [{ amount: 1, isPaid: true }]]);
  });

  test("reduces an amount that is no longer owed", async () => {
    const network = new Network();
    network.send(7n, "20260510", 10n * GB);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    network.send(7n, "20260510", -10n * GB);
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{ amount: 0, isPaid: true }]);
  });

  test("assigns unique codes, even within the same second", async () => {
    const network = new Network();
    await using edgehelm = await billKernel(network, perGB);
    for (let userId = 1n; userId <= 301n; userId += 3n) network.send(userId, "20260510", GB);
    await generate(edgehelm, { month: "202605" });
    for (let userId = 1n; userId <= 301n; userId++) network.send(userId, "20260511", GB);
    await generate(edgehelm, { month: "202605" });
    const { userBills } = await edgehelm.call(admin, listUserBills, { paidFlag: -1, size: 1000n });
    expect(userBills).toHaveLength(301);
    expect(new Set(userBills.map(({ code }) => code)).size).toBe(301);
  });

  test("after an interruption produces the same bills", async () => {
    const network = new Network();
    for (let userId = 1n; userId <= 700n; userId++) network.send(userId, "20260510", userId * GB);
    await using whole = await billKernel(network, perGB);
    await generate(whole, { month: "202605" });

    const clock = june15();
    await using killed = await billKernel(network, perGB, clock);
    let reads = 0;
    network.beforeRead = () => {
      if (++reads === 3) throw new Error("killed");
    };
    await expect(generate(killed, { month: "202605" })).rejects.toMatchObject({ code: 500 });
    const first = await billsOf(killed, 1n);
    const partial = await billSummaries(killed);
    expect(partial).toHaveLength(500);
    network.beforeRead = () => {};
    clock.advance(60);
    await generate(killed, { month: "202605" });
    expect(await billsOf(killed, 1n)).toEqual(first);
    expect(await billSummaries(killed)).toEqual(await billSummaries(whole));
    expect(await billSummaries(killed)).toHaveLength(700);
  });
});
