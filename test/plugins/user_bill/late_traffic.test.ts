import { describe, expect, test } from "vitest";
import type { Facts } from "../../property/bills/facts.ts";
import { BillWorld } from "../../property/bills/world.ts";
import { GB } from "./rig.ts";

const USER = 7n;
const at = (text: string) => Date.parse(`${text}Z`) / 1000;

function facts(changes: Partial<Facts> = {}): Facts {
  return {
    ...{ timeZone: "UTC", graceDays: 2, perGB: 100_000n, perMB: 0n, percentile: 95 },
    users: new Map([[USER, { priceType: "", pricePeriod: "" }]]),
    owners: new Map([[70n, USER], [71n, USER]]),
    plans: new Map(),
    tiers: [],
    perGigabit: new Map(),
    ...changes,
  };
}

/** Begins on 15 January. */
async function open(changes: Partial<Facts> = {}) {
  const given = facts(changes);
  const world = await BillWorld.open(given, at("2026-01-15T12:00"));
  await world.run();
  const send = async (day: string, gb: bigint, serverId = 70n, regionId = 0n) => {
    const time = at(`${day}T23:50`);
    world.clock.advance(Math.max(0, time - world.clock.now() / 1000));
    await world.upload([{ at: time, userId: USER, serverId, regionId, bytes: gb * GB }]);
  };
  const runOn = async (day: string) => {
    world.clock.advance(at(`${day}T00:30`) - world.clock.now() / 1000);
    await world.run();
  };
  const bills = async () =>
    (await world.bills(USER, 100)).reverse().map(({ month, amount, description }) => [month, amount, description]);
  const pay = async () => {
    for (const bill of await world.bills(USER, 100)) if (bill.canPay) await world.pay(bill);
  };
  return { ...given, send, runOn, bills, pay, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

describe("finding 3: traffic that arrives late", () => {
  test("within the grace is on the bill of its month", async () => {
    await using rig = await open();
    await rig.send("2026-01-20", 10n);
    await rig.runOn("2026-02-02");
    await rig.send("2026-01-30", 10n);
    expect(await rig.bills()).toEqual([]);
    await rig.runOn("2026-02-03");
    expect(await rig.bills()).toEqual([["202601", 2, "20.00 GB of 1 site"]]);
  });

  test("after the grace is a correction on the next bill, once, whether or not the first is paid", async () => {
    for (const isPaid of [true, false]) {
      await using rig = await open();
      await rig.send("2026-01-20", 10n);
      await rig.runOn("2026-02-03");
      if (isPaid) await rig.pay();
      await rig.send("2026-01-30", 10n);
      await rig.send("2026-02-10", 1n);
      await rig.runOn("2026-03-03");
      const february = ["202602", 1.1, "1.00 GB of 1 site; correction of 2026-01-01 to 2026-01-31: +1.00"];
      expect(await rig.bills()).toEqual([["202601", 1, "10.00 GB of 1 site"], february]);
      await rig.send("2026-03-10", 1n);
      await rig.runOn("2026-04-03");
      expect((await rig.bills()).slice(1)).toEqual([february, ["202603", 0.1, "1.00 GB of 1 site"]]);
    }
  });

  test("of a user without other traffic makes a bill of its own", async () => {
    await using rig = await open();
    await rig.runOn("2026-02-03");
    await rig.send("2026-01-30", 10n);
    await rig.runOn("2026-03-03");
    expect(await rig.bills())
      .toEqual([["202602", 1, "0.00 GB of 0 sites; correction of 2026-01-01 to 2026-01-31: +1.00"]]);
  });

  test("costs what it would have cost in time, even if prices and plans changed", async () => {
    await using rig = await open();
    rig.plans.set(70n, { prices: { kind: "traffic", perGB: 500_000n }, dayTo: "2026-12-31" });
    await rig.send("2026-01-20", 10n);
    await rig.runOn("2026-02-03");
    rig.plans.set(70n, { prices: { kind: "prepaid" }, dayTo: "2026-12-31" });
    await rig.send("2026-01-30", 10n);
    await rig.runOn("2026-03-03");
    expect((await rig.bills())[1])
      .toEqual(["202602", 5, "0.00 GB of 0 sites; correction of 2026-01-01 to 2026-01-31: +5.00"]);
  });

  test("that makes a month cheaper is a credit, as far as bills reach; the rest is on later ones", async () => {
    const tiers = [{ id: 2n, bitsFrom: 100n * 8n * GB, bitsTo: 0n }, { id: 1n, bitsFrom: 0n, bitsTo: 100n * 8n * GB }];
    await using rig = await open({ perGB: 0n, tiers, perGigabit: new Map([["1 1", 1_000_000n], ["1 2", 10_000n]]) });
    await rig.send("2026-01-20", 90n, 70n, 1n);
    await rig.runOn("2026-02-03");
    await rig.send("2026-01-30", 20n, 70n, 1n);
    await rig.send("2026-02-10", 1n, 70n, 1n);
    await rig.runOn("2026-03-03");
    await rig.send("2026-03-10", 90n, 70n, 1n);
    await rig.runOn("2026-04-03");
    // 90 GB at 1 for each gigabit are 773.09; 110 GB at a hundredth of it are 9.45
    expect((await rig.bills()).map(([, amount]) => amount)).toEqual([773.09, 0, 18.04]);
    expect((await rig.bills())[1]![2]).toBe("1.00 GB of 1 site; correction of 2026-01-01 to 2026-01-31: -8.59");
    expect(773.09 + 8.59 + 773.09 - (773.09 + 0 + 18.04), "credited in sum").toBeCloseTo(773.09 - 9.45, 5);
  });

  test("of a day with a daily bill is on the next daily bill", async () => {
    await using rig = await open({ users: new Map([[USER, { priceType: "", pricePeriod: "daily" }]]) });
    await rig.send("2026-01-16", 10n);
    await rig.runOn("2026-01-19");
    await rig.send("2026-01-16", 10n, 71n);
    await rig.runOn("2026-01-20");
    expect((await rig.bills()).map(([, amount, description]) => [amount, description])).toEqual([
      [1, "10.00 GB of 1 site"],
      [1, "0.00 GB of 0 sites; correction of 2026-01-16: +1.00"],
    ]);
  });
});
