import { describe, expect, test, vi } from "vitest";
import { Progress } from "./report/progress.ts";
import { TimeBudget } from "./report/time_budget.ts";
import { runRounds } from "./runner.ts";
import type { BenchOptions, Measurement } from "./suite.ts";

vi.spyOn(console, "error").mockImplementation(() => {});
const options: BenchOptions = { root: "", seconds: 1, rows: undefined, progress: new Progress() };
const figures = [{ name: "runs", unit: "us" }, { name: "doubled", unit: "us" }] as const;

function counting(): Measurement {
  let runs = 0;
  return { figures, measure: () => Promise.resolve([++runs, runs * 2]) };
}

const nothing = () => Promise.resolve();

test("servers that live through all rounds are warmed up by a round that does not count", async () => {
  const bench = { measurements: [counting()], [Symbol.asyncDispose]: nothing };
  const { samples: [runs, doubled], failure } = await runRounds(bench, 3, new TimeBudget(10), options);
  expect(runs).toMatchObject({ figure: figures[0], values: [2, 3, 4] });
  expect(doubled!.values).toEqual([4, 6, 8]);
  expect(doubled!.othersLoad).toHaveLength(3);
  expect(failure).toBeUndefined();
});

test("servers that are started for each round are warmed up in each", async () => {
  const steps: string[] = [];
  const note = (step: string) => () => {
    steps.push(step);
    return Promise.resolve();
  };
  const bench = {
    measurements: [{ figures: [figures[0]], measure: async () => [steps.push("measure")], warmUp: note("warm up") }],
    begin: note("begin"),
    end: note("end"),
    [Symbol.asyncDispose]: nothing,
  };
  await runRounds(bench, 2, new TimeBudget(10), options);
  const round = ["begin", "warm up", "measure", "end"];
  expect(steps).toEqual([...round, ...round]);
});

test("rounds end when the time is over", async () => {
  let now = 0;
  const bench = {
    measurements: [{ figures: [figures[0]], measure: () => Promise.resolve([now += 60_000]) }],
    [Symbol.asyncDispose]: nothing,
  };
  const { samples: [runs] } = await runRounds(bench, 100, new TimeBudget(5, () => now), options);
  expect(runs!.values).toHaveLength(4);
});

describe("an error", () => {
  const failingIn = (failing: number) => {
    let runs = 0;
    const measure = () => ++runs === failing ? Promise.reject(new Error("no response")) : Promise.resolve([runs]);
    return { measurements: [{ figures: [figures[0]], measure }], [Symbol.asyncDispose]: nothing };
  };

  test("ends the bench, and keeps the rounds before", async () => {
    const { samples: [runs], failure } = await runRounds(failingIn(4), 5, new TimeBudget(10), options);
    expect(runs!.values).toEqual([2, 3]);
    expect(failure).toBe("round 3 failed: no response");
  });

  test("is thrown if a figure has no value yet", async () => {
    await expect(runRounds(failingIn(2), 5, new TimeBudget(10), options)).rejects.toThrow("no response");
  });
});
