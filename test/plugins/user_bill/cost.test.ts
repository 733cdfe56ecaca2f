import { describe, expect, test } from "vitest";
import { bandwidthCost, bitsOf, regionCost, roundCost, trafficCost } from "../../../plugins/user_bill/cost.ts";
import { openRanges } from "../../../plugins/user_bill/periods.ts";

const GB = 2n ** 30n;
const MB = 2n ** 20n;

test("traffic costs its price for a GB, rounded once", () => {
  expect(roundCost(trafficCost(GB, 80_000n))).toBe(8n);
  expect(roundCost(trafficCost(3n * GB / 2n, 1_000_000n))).toBe(150n);
  // a third of a cent three times over is a cent
  const third = trafficCost(GB, 3_333n);
  expect(roundCost(third)).toBe(0n);
  expect(roundCost(third * 3n)).toBe(1n);
});

test("half a cent rounds up, less does not", () => {
  expect(roundCost(trafficCost(GB, 5_000n))).toBe(1n);
  expect(roundCost(trafficCost(GB - 1n, 5_000n))).toBe(0n);
});

test("amounts far beyond what a double holds stay exact", () => {
  const petabytes = 10n ** 6n * 2n ** 50n + GB;
  expect(roundCost(trafficCost(petabytes, 10_000n))).toBe(petabytes / GB);
});

test("a region charges gigabits of a thousand million bits", () => {
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
    ["nothing", 0n, 0n],
    ["each MB", 5n * MB / 2n, 250n],
    ["less than the step's end", 10n * MB - 1n, 1000n],
    ["the step's start", 10n * MB, 800n],
    ["what no step holds", 25n * MB, 0n],
    ["a total price before one for each MB", 100n * MB, 900n],
  ])("%s", (_name, bytesPerSecond, amount) => {
    expect(roundCost(bandwidthCost(bytesPerSecond, { percentile: 95, steps }))).toBe(amount);
  });
});

describe("open days", () => {
  const may = { from: "2026-05-01", to: "2026-05-31" };
  const day = (day: string) => ({ from: day, to: day });
  test.each([
    ["of nothing covered are all", [], ["2026-05-01 2026-05-31"]],
    ["lie around", [day("2026-05-10")], ["2026-05-01 2026-05-09", "2026-05-11 2026-05-31"]],
    ["lie between", [day("2026-05-31"), day("2026-05-01"), day("2026-05-03")], [
      "2026-05-02 2026-05-02",
      "2026-05-04 2026-05-30",
    ]],
    ["are none", [{ from: "2026-04-01", to: "2026-06-30" }], []],
  ])("%s", (_name, covered, open) => {
    expect(openRanges(may, covered).map(({ from, to }) => `${from} ${to}`)).toEqual(open);
  });
});
