import type { TestKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { database } from "../../../core/storage/database.ts";
import { billKernel, billsOf, GB, generate, june15, Network } from "./rig.ts";

const perGB = { trafficPricePerGB: 0.1 };

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

describe("automatic billing", () => {
  test("bills days and months once, when their grace for late traffic is over", async () => {
    const network = new Network();
    network.terms.set(8n, { priceType: "", pricePeriod: "daily" });
    network.send(7n, "20260610", 10n * GB);
    network.send(8n, "20260615", 10n * GB);
    const clock = june15();
    await using edgehelm = await billKernel(network, { ...perGB, automatic: true }, clock);
    const run = () => edgehelm.kernel.runJob("user_bill.generate");
    await run();
    const bills = async () => [await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)];
    clock.advance(2 * 86_400);
    await run();
    expect(await bills(), "on the 17th").toEqual([[], []]);
    clock.advance(86_400);
    await run();
    expect(await bills(), "on the 18th").toMatchObject([[], [{ dayFrom: "20260615", amount: 1 }]]);
    clock.advance(14 * 86_400);
    await run();
    expect((await bills())[0], "on the 2nd").toEqual([]);
    clock.advance(86_400);
    await run();
    expect((await bills())[0], "on the 3rd").toMatchObject([{ month: "202606", amount: 1 }]);
    network.beforeRead = () => {
      throw new Error("must not run twice");
    };
    await run();
  });

  test("leaves the months before the installation alone, and does not mark them as done", async () => {
    const network = new Network();
    network.send(7n, "20260510", 10n * GB);
    await using edgehelm = await billKernel(network, { ...perGB, automatic: true });
    await edgehelm.kernel.runJob("user_bill.generate");
    expect(await billsOf(edgehelm, 7n)).toEqual([]);
    const [{ n }] = await runsOf(edgehelm);
    expect(n).toBe(0n);
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{ month: "202605", amount: 1 }]);
  });

  test("makes up for the days and months of an interruption, in order", async () => {
    const network = new Network();
    network.terms.set(8n, { priceType: "", pricePeriod: "daily" });
    for (const day of ["20260620", "20260710", "20260825"]) {
      network.send(7n, day, GB);
      network.send(8n, day, GB);
    }
    const clock = june15();
    await using edgehelm = await billKernel(network, { ...perGB, automatic: true }, clock);
    await edgehelm.kernel.runJob("user_bill.generate");
    clock.advance(80 * 86_400);
    await edgehelm.kernel.runJob("user_bill.generate");
    const days = async (userId: bigint) =>
      (await billsOf(edgehelm, userId)).map(({ dayFrom, dayTo }) => [dayFrom, dayTo]);
    const months = [["20260601", "20260630"], ["20260701", "20260731"], ["20260801", "20260831"]];
    expect(await days(7n)).toEqual(months);
    // days that are more than a month ago are billed with their month
    expect(await days(8n)).toEqual([...months.slice(0, 2), ["20260825", "20260825"]]);
  });
});

async function runsOf(edgehelm: TestKernel): Promise<[{ n: bigint }]> {
  const db = database<{ userBillRuns: { period: string } }>({ owner: "test", tables: undefined });
  const count = db.query((q, _p: object) =>
    q.selectFrom("userBillRuns").select((e) => e.fn.countAll<bigint>().as("n"))
  );
  return [await count.one(edgehelm.kernel.systemCall("test"), {})];
}
