import { describe, expect, test } from "vitest";
import type { Unit } from "../report/figure.ts";
import { Random } from "../../harness/random.ts";
import { type Paired, summaryOf, verdictsOf } from "./verdict.ts";

const ROUNDS = 10;
const FIGURES = 10;

/** Near to a normal distribution around 0, with this deviation. */
function noise(random: Random, deviation: number): number {
  let sum = -6;
  for (let draw = 0; draw < 12; draw++) sum += random.next();
  return sum * deviation;
}

/** A figure of two commits of which the second takes `ratio` times as much; rounds differ more than the commits. */
function paired(random: Random, ratio: number, deviation: number, unit: Unit = "us", name = "figure"): Paired {
  const before = Array.from({ length: ROUNDS }, () => 100 * Math.exp(noise(random, 0.5)));
  return {
    figure: { name, unit },
    othersLoad: before.map(() => 0),
    before,
    after: before.map((value) => value * ratio * Math.exp(noise(random, deviation))),
  };
}

function verdicts(ratios: readonly number[], deviation: number, seed: number) {
  const random = new Random(seed);
  return verdictsOf(ratios.map((ratio) => paired(random, ratio, deviation)));
}

describe("equal commits", () => {
  test.each([0.01, 0.05, 0.15])("do not differ, with noise of %f", (deviation) => {
    let wrong = 0;
    for (let seed = 1; seed <= 100; seed++) {
      wrong += Number(summaryOf(verdicts(Array(FIGURES).fill(1), deviation, seed)) !== "no difference");
    }
    // 1 of 100 is what the confidence allows; these seeds are always the same
    expect(wrong).toBeLessThanOrEqual(3);
  });

  test("do not differ where the machine disturbed one round", () => {
    const random = new Random(7);
    const figure = paired(random, 1, 0.02);
    const after = figure.after.map((value, round) => round === 3 ? value * 5 : value);
    expect(verdictsOf([{ ...figure, after }])[0]!.verdict).toBe("no difference");
  });

  test("do not differ where all values are equal", () => {
    const values = Array(ROUNDS).fill(5);
    const [verdict] = verdictsOf([{
      figure: { name: "memory", unit: "MB" },
      before: values,
      after: values,
      othersLoad: [0],
    }]);
    expect(verdict).toMatchObject({ ratio: 1, low: 1, high: 1, verdict: "no difference" });
  });
});

describe("different commits", () => {
  test("one slower figure among many is found", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const all = verdicts([1.15, ...Array(FIGURES - 1).fill(1)], 0.03, seed);
      expect(all.map(({ verdict }) => verdict)).toEqual(["slower", ...Array(FIGURES - 1).fill("no difference")]);
      expect(summaryOf(all)).toBe("1 figure differs");
    }
  });

  test("the interval holds the true ratio", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const [verdict] = verdicts([1.3, 1, 1], 0.05, seed);
      expect(verdict!.low).toBeLessThan(1.3);
      expect(verdict!.high).toBeGreaterThan(1.3);
    }
  });

  test("a change below five percent is no difference, however certain", () => {
    const [verdict] = verdicts([1.04], 0.001, 1);
    expect(verdict!.low).toBeGreaterThan(1);
    expect(verdict!.verdict).toBe("no difference");
  });

  test("the word for a change depends on its direction and unit", () => {
    const word = (unit: Unit, ratio: number) => verdictsOf([paired(new Random(1), ratio, 0.01, unit)])[0]!.verdict;
    expect([word("us", 1.2), word("us", 0.8)]).toEqual(["slower", "faster"]);
    expect([word("per s", 1.2), word("per s", 0.8)]).toEqual(["faster", "slower"]);
    expect([word("MB", 1.2), word("MB", 0.8)]).toEqual(["larger", "smaller"]);
    expect(summaryOf(verdicts([1.2, 1.2, 1], 0.01, 1))).toBe("2 figures differ");
  });
});
