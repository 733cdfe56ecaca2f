import { TestClock } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { FailureBudgets } from "../../../core/auth/failure_budgets.ts";

const clock = new TestClock();

function budgetsOf(failures = 3, remembered = 100): FailureBudgets {
  return new FailureBudgets({ failures, forgottenAfterSeconds: 30, remembered, clock });
}

function fail(budgets: FailureBudgets, key: string, times = 1): void {
  for (let time = 0; time < times; time++) {
    budgets.begin(key);
    budgets.end(key, true);
  }
}

describe("failures", () => {
  test("are used up, and come back one by one", () => {
    const budgets = budgetsOf();
    fail(budgets, "a", 2);
    expect(budgets.secondsToWait("a")).toBe(0);
    fail(budgets, "a");
    expect(budgets.secondsToWait("a")).toBe(10);
    clock.advance(4);
    expect(budgets.secondsToWait("a")).toBeCloseTo(6);
    clock.advance(6);
    expect(budgets.secondsToWait("a")).toBe(0);
    fail(budgets, "a");
    expect(budgets.secondsToWait("a")).toBe(10);
    clock.advance(30);
    fail(budgets, "a", 2);
    expect(budgets.secondsToWait("a")).toBe(0);
  });

  test("of one key are not another's, and successes are none", () => {
    const budgets = budgetsOf();
    fail(budgets, "a", 3);
    expect(budgets.secondsToWait("b")).toBe(0);
    for (let time = 0; time < 10; time++) {
      budgets.begin("b");
      budgets.end("b", false);
    }
    expect([budgets.secondsToWait("b"), budgets.size]).toEqual([0, 1]);
  });

  test("that attempts under way could become leave no room for more", async () => {
    const budgets = budgetsOf(2);
    budgets.begin("a");
    expect(budgets.hasRoom("a")).toBe(true);
    budgets.begin("a");
    expect(budgets.hasRoom("a")).toBe(false);
    const settled = budgets.settled("a");
    budgets.end("a", false);
    await settled;
    expect(budgets.hasRoom("a")).toBe(true);
  });

  test("are remembered for so many keys only, those that failed last", () => {
    const budgets = budgetsOf(1, 100);
    for (let key = 0; key < 1000; key++) fail(budgets, `key ${key}`);
    expect(budgets.size).toBeLessThanOrEqual(100);
    expect(budgets.secondsToWait("key 999")).toBeGreaterThan(0);
    expect(budgets.secondsToWait("key 0")).toBe(0);
  });

  test("that are known elsewhere are taken over, and what is known here is not lost", () => {
    const budgets = budgetsOf();
    budgets.learn("a", 3, clock.now() - 4000);
    expect(budgets.secondsToWait("a")).toBeCloseTo(6);
    fail(budgets, "b", 3);
    budgets.learn("b", 1, clock.now());
    expect(budgets.secondsToWait("b")).toBe(10);
    budgets.learn("c", 3, clock.now() - 60_000);
    expect(budgets.secondsToWait("c")).toBe(0);
  });

  test("are not forgotten when the clock is set back", () => {
    const budgets = budgetsOf(1);
    fail(budgets, "a");
    clock.advance(-3600);
    expect(budgets.secondsToWait("a")).toBe(30);
    clock.advance(3600);
  });
});
