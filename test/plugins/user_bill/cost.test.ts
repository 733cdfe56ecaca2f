import { describe, expect, test } from "vitest";
import { bandwidthCost, bitsOf, regionCost, roundCost, trafficCost } from "../../../plugins/user_bill/cost.ts";
import { openRanges } from "../../../plugins/user_bill/periods.ts";

const GB = 2n ** 30n;
const MB = 2n ** 20n;

test("traffic is charged per GB and rounded once", () => {
  expect(roundCost(trafficCost(GB, 80_000n))).toBe(8n);
  expect(roundCost(trafficCost(3n * GB / 2n, 1_000_000n))).toBe(150n);
  // three thirds of a cent are one cent
  const third = trafficCost(GB, 3_333n);
  expect(roundCost(third)).toBe(0n);
  expect(roundCost(third * 3n)).toBe(1n);
});

test("half a cent is rounded up, less is rounded down", () => {
  expect(roundCost(trafficCost(GB, 5_000n))).toBe(1n);
  expect(roundCost(trafficCost(GB - 1n, 5_000n))).toBe(0n);
});

test("amounts beyond the precision of a double are exact", () => {
  const petabytes = 10n ** 6n * 2n ** 50n + GB;
  expect(roundCost(trafficCost(petabytes, 10_000n))).toBe(petabytes / GB);
});

test("region prices are per 10^9 bits", () => {
  expect(bitsOf(125_000_000n)).toBe(10n ** 9n);
  expect(roundCost(regionCost(125_000_000n, 2_500_000n))).toBe(250n);
});

describe("bandwidth", () => {
  const steps = [
    { min: 0n, max: 10_000_000n, pricePerMB: 1_000_000n, totalPrice: 0n },
    { min: 10_000_000n, max: 20_000_000n, pricePerMB: 0n, totalPrice: 8_000_000n },
    { min: 30_000_000n, max: 0n, pricePerMB: 500_000n, totalPrice: 9_000_000n },
  ];
  test.each([
    ["no bandwidth", 0n, 0n],
    ["a price per MB", 5n * MB / 2n, 250n],
    ["just below the end of a step", 10n * MB - 1n, 1000n],
    ["the start of a step", 10n * MB, 800n],
    ["outside all steps", 25n * MB, 0n],
    ["a total price instead of a price per MB", 100n * MB, 900n],
  ])("%s", (_name, bytesPerSecond, amount) => {
    expect(roundCost(bandwidthCost(bytesPerSecond, { percentile: 95, steps }))).toBe(amount);
  });
});

describe("openRanges returns", () => {
  const may = { from: "2026-05-01", to: "2026-05-31" };
  const day = (day: string) => ({ from: day, to: day });
  test.each([
    ["the whole range if nothing is covered", [], ["2026-05-01 2026-05-31"]],
    ["the ranges around a covered day", [day("2026-05-10")], ["2026-05-01 2026-05-09", "2026-05-11 2026-05-31"]],
    ["the ranges between covered days", [day("2026-05-31"), day("2026-05-01"), day("2026-05-03")], [
      "2026-05-02 2026-05-02",
      "2026-05-04 2026-05-30",
    ]],
    ["nothing if everything is covered", [{ from: "2026-04-01", to: "2026-06-30" }], []],
  ])("%s", (_name, covered, open) => {
    expect(openRanges(may, covered).map(({ from, to }) => `${from} ${to}`)).toEqual(open);
  });
});
