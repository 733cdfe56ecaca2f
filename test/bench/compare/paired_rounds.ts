import { mean } from "../report/statistics.ts";
import { watchOthers } from "../report/others_load.ts";
import type { Progress } from "../report/progress.ts";
import type { TimeBudget } from "../report/time_budget.ts";
import { type Bench, type Measurement, warmUp } from "../suite.ts";
import type { Paired } from "./verdict.ts";

/** With fewer rounds there are too few combinations of signs to be certain of anything. */
export const LEAST_ROUNDS = 8;

/** The same measurement of both commits. */
interface Pair {
  readonly before: Measurement;
  readonly after: Measurement;
  /** For each round the values of each figure. */
  readonly beforeValues: number[][];
  readonly afterValues: number[][];
  readonly othersLoad: number[];
}

/**
 * Measures two commits by turns. Each round starts both servers again on new data, since two processes of one program,
 * and two sets of files with the same rows, may differ for as long as they exist. Within a round each figure is measured
 * in the order ABBA, and in the next one BAAB.
 */
export async function runPairedRounds(
  before: Bench,
  after: Bench,
  rounds: number,
  budget: TimeBudget,
  progress: Progress,
): Promise<Paired[]> {
  const pairs = pairsOf(before, after);
  let count = 0;
  for (; count < rounds; count++) {
    if (count >= LEAST_ROUNDS && !budget.hasRoom) {
      progress.note(`only ${count} of ${rounds} rounds fit into the time`);
      break;
    }
    budget.beginRound();
    const isBeforeFirst = count % 2 === 0;
    const benches = isBeforeFirst ? [before, after] : [after, before];
    for (const bench of benches) await bench.begin?.();
    for (const pair of pairs) {
      await measurePair(pair, isBeforeFirst);
      const figures = pair.after.figures;
      const ratios = figures.map(({ name }, index) =>
        `${name} ${(pair.afterValues.at(-1)![index]! / pair.beforeValues.at(-1)![index]!).toFixed(3)}`
      );
      progress.note(`round ${count + 1} of ${rounds}, after / before: ${ratios.join(", ")}`);
    }
    for (const bench of benches) await bench.end?.();
    budget.endRound();
  }
  return pairs.flatMap(({ after: { figures }, beforeValues, afterValues, othersLoad }) =>
    figures.map((figure, index) => ({
      figure,
      before: beforeValues.map((values) => values[index]!),
      after: afterValues.map((values) => values[index]!),
      othersLoad,
    }))
  );
}

/** The measurements that both commits have. */
function pairsOf(before: Bench, after: Bench): Pair[] {
  const key = ({ figures }: Measurement) => figures.map(({ name }) => name).join();
  const known = new Map(before.measurements.map((one) => [key(one), one]));
  return after.measurements.flatMap((one) => {
    const other = known.get(key(one));
    return other === undefined
      ? []
      : [{ before: other, after: one, beforeValues: [], afterValues: [], othersLoad: [] }];
  });
}

async function measurePair(pair: Pair, isBeforeFirst: boolean): Promise<void> {
  const [one, other] = isBeforeFirst ? [pair.before, pair.after] : [pair.after, pair.before];
  await warmUp(one);
  await warmUp(other);
  const others = watchOthers();
  const first = await one.measure();
  const second = [await other.measure(), await other.measure()];
  const both = [first, await one.measure()];
  const average = (samples: readonly (readonly number[])[]) =>
    samples[0]!.map((_, index) => mean(samples.map((values) => values[index]!)));
  pair.othersLoad.push(others());
  pair.beforeValues.push(average(isBeforeFirst ? both : second));
  pair.afterValues.push(average(isBeforeFirst ? second : both));
}
