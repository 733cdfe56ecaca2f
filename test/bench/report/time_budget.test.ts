import { expect, test } from "vitest";
import { TimeBudget } from "./time_budget.ts";

test("a round begins only if the longest one so far would end in time", () => {
  let now = 0;
  const budget = new TimeBudget(10, () => now);
  const round = (minutes: number) => {
    budget.beginRound();
    now += minutes * 60_000;
    budget.endRound();
  };
  round(4);
  round(2);
  expect(budget.hasRoom).toBe(true);
  round(1);
  expect(budget.hasRoom).toBe(false);
  expect(budget.isOver).toBe(false);
  round(3);
  expect(budget.isOver).toBe(true);
});
