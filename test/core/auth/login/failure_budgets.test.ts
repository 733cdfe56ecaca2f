import { TestClock } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { FailureBudgets } from "../../../../core/auth/login/failure_budgets.ts";

const clock = new TestClock();

function createBudgets(maxFailures = 3, maxKeys = 100): FailureBudgets {
  return new FailureBudgets({ maxFailures, decaySeconds: 30, maxKeys, clock });
}

function fail(budgets: FailureBudgets, key: string, times = 1): void {
  for (let time = 0; time < times; time++) {
    budgets.begin(key);
    budgets.end(key, true);
  }
}

describe("FailureBudgets", () => {
  test("blocks a key after its failures, which expire one by one", () => {
    const budgets = createBudgets();
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

  test("counts each key separately, and failures only", () => {
    const budgets = createBudgets();
    fail(budgets, "a", 3);
    expect(budgets.secondsToWait("b")).toBe(0);
    for (let time = 0; time < 10; time++) {
      budgets.begin("b");
      budgets.end("b", false);
    }
    expect([budgets.secondsToWait("b"), budgets.size]).toEqual([0, 1]);
  });

  test("has no room for more running attempts than may fail", async () => {
    const budgets = createBudgets(2);
    budgets.begin("a");
    expect(budgets.hasRoom("a")).toBe(true);
    budgets.begin("a");
    expect(budgets.hasRoom("a")).toBe(false);
    const ended = budgets.attemptEnded("a");
    budgets.end("a", false);
    await ended;
    expect(budgets.hasRoom("a")).toBe(true);
  });

  test("keeps a bounded number of keys, those that failed last", () => {
    const budgets = createBudgets(1, 100);
    for (let key = 0; key < 1000; key++) fail(budgets, `key ${key}`);
    expect(budgets.size).toBeLessThanOrEqual(100);
    expect(budgets.secondsToWait("key 999")).toBeGreaterThan(0);
    expect(budgets.secondsToWait("key 0")).toBe(0);
  });

  test("raises failures to those counted elsewhere, but never lowers them", () => {
    const budgets = createBudgets();
    budgets.raise("a", 3, clock.now() - 4000);
    expect(budgets.secondsToWait("a")).toBeCloseTo(6);
    fail(budgets, "b", 3);
    budgets.raise("b", 1, clock.now());
    expect(budgets.secondsToWait("b")).toBe(10);
    budgets.raise("c", 3, clock.now() - 60_000);
    expect(budgets.secondsToWait("c")).toBe(0);
  });

  test("expires nothing when the clock is set back", () => {
    const budgets = createBudgets(1);
    fail(budgets, "a");
    clock.advance(-3600);
    expect(budgets.secondsToWait("a")).toBe(30);
    clock.advance(3600);
  });
});
