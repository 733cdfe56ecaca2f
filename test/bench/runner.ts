import type { Samples } from "./report/figure.ts";
import { watchOthers } from "./report/others_load.ts";
import type { TimeBudget } from "./report/time_budget.ts";
import { type Bench, type BenchOptions, type Measurement, warmUp } from "./suite.ts";

/** A value with the load of other processes while it was measured. */
interface Measured {
  readonly values: readonly number[];
  readonly othersLoad: number;
}

/** The values of all figures. */
export interface Rounds {
  readonly samples: readonly Samples[];
  /** The error that ended the bench early; the samples are then those of the rounds before. */
  readonly failure: string | undefined;
}

/** Measures every figure once a round, one after the other, until all rounds are done or the time is over. */
export async function runRounds(
  bench: Bench,
  rounds: number,
  budget: TimeBudget,
  { progress }: BenchOptions,
): Promise<Rounds> {
  const measured = new Map<Measurement, Measured[]>(bench.measurements.map((one) => [one, []]));
  const isFresh = bench.begin !== undefined;
  let failure: string | undefined;
  // servers that live through all rounds are warmed up by one round, the others in every round
  for (let round = isFresh ? 1 : 0; round <= rounds; round++) {
    if (round > 1 && !budget.hasRoom) {
      progress.note(`only ${round - 1} of ${rounds} rounds fit into the time`);
      break;
    }
    budget.beginRound();
    try {
      await bench.begin?.();
      for (const [measurement, all] of measured) {
        if (budget.isOver && all.length > 0) break;
        if (isFresh) await warmUp(measurement);
        const one = await measureOnce(measurement);
        if (round > 0) all.push(one);
        progress.values(round === 0 ? "warm-up" : `round ${round} of ${rounds}`, measurement.figures, one.values);
      }
      await bench.end?.();
    } catch (error) {
      // what other rounds measured is not lost
      if ([...measured.values()].some((all) => all.length === 0)) throw error;
      failure = `round ${round} failed: ${error instanceof Error ? error.message : error}`;
      break;
    }
    budget.endRound();
  }
  const samples = [...measured].flatMap(([{ figures }, all]) =>
    figures.map((figure, index) => ({
      figure,
      values: all.map(({ values }) => values[index]!),
      othersLoad: all.map(({ othersLoad }) => othersLoad),
    }))
  );
  return { samples, failure };
}

async function measureOnce(measurement: Measurement): Promise<Measured> {
  const others = watchOthers();
  const values = await measurement.measure();
  return { values, othersLoad: others() };
}
