import { describe, expect, test } from "vitest";
import { billKernel, billsOf, GB, generate, Network } from "./rig.ts";

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
