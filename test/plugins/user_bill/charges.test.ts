import { describe, expect, test } from "vitest";
import { billKernel, billsOf, GB, generate, Network } from "./rig.ts";

const perGB = { trafficPricePerGB: 0.1 };

describe("a bill", () => {
  test("charges the price per GB for all days of the month and no others", async () => {
    const network = new Network();
    for (const [day, gb] of [["20260430", 100n], ["20260501", 1n], ["20260531", 2n], ["20260601", 100n]] as const) {
      network.send(7n, day, gb * GB);
    }
    network.send(7n, "20260515", GB / 2n, { serverId: 71n });
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    const [bill, ...more] = await billsOf(edgehelm, 7n);
    expect(more).toEqual([]);
    expect(bill).toMatchObject({
      user: { id: 7n, username: "user7" },
      type: "traffic",
      amount: 0.35,
      month: "202605",
      dayFrom: "20260501",
      dayTo: "20260531",
      pricePeriod: "monthly",
      description: "3.50 GB of 2 sites",
      isPaid: false,
      canPay: true,
      isOverdue: false,
    });
    expect(bill!.code).toMatch(/^20260615120000\d{6}$/);
  });

  test("charges region prices for the tier that the user's traffic in the region reaches", async () => {
    const network = new Network();
    network.tiers.push({ id: 2n, bitsFrom: 8_000_000_000n, bitsTo: 0n }, {
      id: 1n,
      bitsFrom: 0n,
      bitsTo: 8_000_000_000n,
    });
    for (
      const [nodeRegionId, nodePriceItemId, price] of [[1n, 1n, 10_000_000n], [1n, 2n, 5_000_000n], [
        2n,
        1n,
        3_000_000n,
      ]]
    ) {
      network.regionPrices.push({ nodeRegionId: nodeRegionId!, nodePriceItemId: nodePriceItemId!, price: price! });
    }
    // two servers together reach the higher tier in region 1: 8 gigabits at 5; 4 gigabits at 3 in region 2
    network.send(7n, "20260510", 500_000_000n, { serverId: 1n, regionId: 1n });
    network.send(7n, "20260510", 500_000_000n, { serverId: 2n, regionId: 1n });
    network.send(7n, "20260510", 500_000_000n, { serverId: 2n, regionId: 2n });
    // no price for an unknown region
    network.send(7n, "20260510", 500_000_000n, { serverId: 2n });
    await using edgehelm = await billKernel(network);
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{ amount: 52 }]);
  });

  test("charges each site according to its plan", async () => {
    const network = new Network();
    network.bind(1n, { priceType: "period" });
    network.bind(2n, { priceType: "traffic", pricePerGB: 2_000_000n });
    const steps = [{ min: 0n, max: 0n, pricePerMB: 3_000_000n, totalPrice: 0n }];
    network.bind(3n, { priceType: "bandwidth", bandwidth: { percentile: 90, steps } });
    network.bandwidth.set(3n, 5n * 2n ** 20n);
    for (const serverId of [1n, 2n, 3n, 4n]) network.send(7n, "20260510", GB, { serverId });
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    // nothing, 1 GB at 2, 5 MB at 3, and 1 GB at the price of the installation
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{
      amount: 0 + 2 + 15 + 0.1,
      description: "4.00 GB of 4 sites",
    }]);
    expect(network.percentiles).toEqual([90]);
  });

  test("charges bandwidth to users with the price type bandwidth", async () => {
    const network = new Network();
    network.terms.set(7n, { priceType: "bandwidth", pricePeriod: "" });
    network.bandwidth.set(70n, 3n * 2n ** 19n);
    network.send(7n, "20260510", GB);
    network.send(8n, "20260510", GB);
    await using edgehelm = await billKernel(network, { ...perGB, bandwidthPricePerMB: 4, bandwidthPercentile: 80 });
    await generate(edgehelm, { month: "202605" });
    expect([await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)]).toMatchObject([[{ amount: 6 }], [{
      amount: 0.1,
    }]]);
    expect(network.percentiles).toEqual([80]);
  });

  test("for prepaid sites has the amount 0 and is paid from the start", async () => {
    const network = new Network();
    network.bind(70n, { priceType: "period" });
    network.send(7n, "20260510", GB);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n)).toMatchObject([{ amount: 0, isPaid: true, canPay: false }]);
  });

  test("ignores a plan that ended before the month", async () => {
    const network = new Network();
    network.bind(70n, { priceType: "period" }, "2026-04-30");
    network.bind(80n, { priceType: "period" }, "2026-05-01");
    for (const userId of [7n, 8n]) network.send(userId, "20260510", 10n * GB);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    expect([await billsOf(edgehelm, 7n), await billsOf(edgehelm, 8n)]).toMatchObject([[{ amount: 1 }], [{
      amount: 0,
    }]]);
  });

  test("is not created for deleted users", async () => {
    const network = new Network();
    network.send(7n, "20260510", GB);
    network.deletedUsers.add(7n);
    await using edgehelm = await billKernel(network, perGB);
    await generate(edgehelm, { month: "202605" });
    expect(await billsOf(edgehelm, 7n)).toEqual([]);
  });
});
