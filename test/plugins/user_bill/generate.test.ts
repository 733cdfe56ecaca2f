import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { admin, billKernel, billsOf, charge, GB, generate, june15, Network } from "./rig.ts";

const { generateAllUserBills, listUserBills, payUserBill } = UserBillService.method;
const perGB = { trafficPricePerGB: 0.1 };

/** Returns the fields of all bills that do not depend on the time of the run. */
async function billSummaries(edgehelm: TestKernel): Promise<unknown[]> {
  const { userBills } = await edgehelm.call(admin, listUserBills, { paidFlag: -1, size: 1000n });
  return userBills.map((bill) => [bill.user?.id, bill.amount, bill.dayFrom, bill.dayTo, bill.description]).sort();
}

describe("generating bills again", () => {
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
    expect(partial).toHaveLength(200);
    network.beforeRead = () => {};
    clock.advance(60);
    await generate(killed, { month: "202605" });
    expect(await billsOf(killed, 1n)).toEqual(first);
    expect(await billSummaries(killed)).toEqual(await billSummaries(whole));
    expect(await billSummaries(killed)).toHaveLength(700);
  });
});

describe("days", () => {
  test("of users with daily billing are on daily bills, and the others on the monthly bill", async () => {
    const network = new Network();
    network.terms.set(7n, { priceType: "", pricePeriod: "daily" });
    for (const day of ["20260501", "20260502", "20260503"]) network.send(7n, day, 10n * GB);
    network.send(8n, "20260502", 10n * GB);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { day: "2026-05-02" });
    expect(await billsOf(edgehelm, 8n), "user 8 has monthly billing").toEqual([]);
    await generate(edgehelm, { month: "202605" });
    const days = (await billsOf(edgehelm, 7n)).map((bill) => [bill.pricePeriod, bill.dayFrom, bill.dayTo, bill.amount]);
    expect(days).toEqual([
      ["daily", "20260502", "20260502", 1],
      ["monthly", "20260501", "20260501", 1],
      ["monthly", "20260503", "20260531", 1],
    ]);
    await generate(edgehelm, { day: "20260503" });
    await generate(edgehelm, { day: "20260502" });
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n), "no day is billed twice").toHaveLength(3);
  });

  test("are on one bill each, even with concurrent runs", async () => {
    const network = new Network();
    network.terms.set(7n, { priceType: "", pricePeriod: "daily" });
    for (let day = 1; day <= 31; day++) network.send(7n, `202605${String(day).padStart(2, "0")}`, 10n * GB);
    await using edgehelm = await billKernel(network, perGB);
    const runs = ["20260503", "20260510", "20260531"].map((day) => generate(edgehelm, { day }));
    await Promise.all([...runs, generate(edgehelm, { month: "202605" }), generate(edgehelm, { month: "202605" })]);
    await generate(edgehelm, { month: "202605" });
    const bills = await billsOf(edgehelm, 7n);
    expect(bills.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(31, 5);
  });
});

describe("generateAllUserBills", () => {
  test.each([
    [{}, "month: either a month or a day is required"],
    [{ month: "202605", day: "20260501" }, "month: either a month or a day is required"],
    [{ month: "202613" }, 'month: must be a month such as 202601, got "202613"'],
    [{ month: "202606" }, "month: must have ended, got 202606"],
    [{ day: "20260615" }, "day: must have ended, got 2026-06-15"],
    [{ day: "yesterday" }, 'day: must be a day such as 2026-01-31, got "yesterday"'],
  ])("refuses %o", async (request, message) => {
    await using edgehelm = await billKernel(new Network());
    await expect(edgehelm.call(admin, generateAllUserBills, request)).rejects.toMatchObject({ code: 400, message });
  });

  test("refuses the call if no plugin provides statistics", async () => {
    const [, ...stubs] = new Network().stubs;
    await using edgehelm = await testKernel({ plugins: [plugin, accounts], stubs });
    await expect(edgehelm.call(admin, generateAllUserBills, { month: "202001" }))
      .rejects.toMatchObject({ code: 503, reason: "user_bill.no_statistics" });
  });

  test("bills ten thousand users in one call without blocking other calls", async () => {
    const network = new Network();
    for (let userId = 1n; userId <= 10_000n; userId++) network.send(userId, "20260510", userId * GB);
    await using edgehelm = await billKernel(network, perGB);
    await charge(edgehelm, 1n, 1);
    const startedAt = performance.now();
    let isFinished = false;
    const run = generate(edgehelm, { month: "202605" }).finally(() => isFinished = true);
    let rounds = 0;
    for (; !isFinished; rounds++) {
      await charge(edgehelm, 1n, 1);
      await edgehelm.call(as.user(2n), listUserBills, { paidFlag: -1 });
    }
    await run;
    console.log(`10 000 bills in ${Math.round(performance.now() - startedAt)} ms with ${2 * rounds} concurrent calls`);
    expect(rounds).toBeGreaterThan(10);
    const { count } = await edgehelm.call(admin, UserBillService.method.countAllUserBills, { month: "202605" });
    expect(count).toBe(10_000n);
    expect(await billsOf(edgehelm, 10_000n)).toMatchObject([{ amount: 1000 }]);
  });
});

describe("automatic billing", () => {
  test("bills yesterday and last month once", async () => {
    const network = new Network();
    network.terms.set(8n, { priceType: "", pricePeriod: "daily" });
    network.send(7n, "20260510", 10n * GB);
    network.send(8n, "20260614", 10n * GB);
    await using edgehelm = await billKernel(network, { ...perGB, automatic: true });
    await edgehelm.kernel.runJob("user_bill.generate");
    expect([await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)])
      .toMatchObject([[{ month: "202605", amount: 1 }], [{ dayFrom: "20260614", amount: 1 }]]);
    network.beforeRead = () => {
      throw new Error("must not run twice");
    };
    network.send(7n, "20260510", 10n * GB);
    await edgehelm.kernel.runJob("user_bill.generate");
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{ amount: 1 }]);
  });
});
