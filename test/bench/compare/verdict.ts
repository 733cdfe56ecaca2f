import { type Figure, isLessBetter } from "../report/figure.ts";
import { mean, median } from "../report/statistics.ts";
import { criticalValue, standardError } from "./critical_value.ts";

/** The chance that two equal commits are reported as different is 1 %, for all figures together. */
const CONFIDENCE = 0.99;
/** Smaller changes than this are no difference, however certain they are. */
const LEAST_CHANGE = 1.05;

/** The values of one figure in each round, of the two commits. */
export interface Paired {
  readonly figure: Figure;
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** The load of other processes in each round, as a share of all cores. */
  readonly othersLoad: readonly number[];
}

export interface Verdict {
  readonly figure: Figure;
  readonly before: number;
  readonly after: number;
  /** After divided by before, as the geometric mean of all rounds, and its confidence interval. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** The mean load of other processes. */
  readonly othersLoad: number;
  readonly verdict: "no difference" | "slower" | "faster" | "larger" | "smaller";
}

/** Judges all figures together, by the ratio of the two commits within each round. */
export function verdictsOf(all: readonly Paired[]): Verdict[] {
  const logs = all.map(({ before, after }) => after.map((value, round) => Math.log(value / before[round]!)));
  const critical = criticalValue(logs, CONFIDENCE);
  return all.map(({ figure, before, after, othersLoad }, index) => {
    const center = mean(logs[index]!);
    const margin = critical * standardError(logs[index]!);
    const isDifferent = Math.abs(center) > margin && Math.abs(center) >= Math.log(LEAST_CHANGE);
    return {
      figure,
      before: median(before),
      after: median(after),
      ratio: Math.exp(center),
      low: Math.exp(center - margin),
      high: Math.exp(center + margin),
      othersLoad: mean(othersLoad),
      verdict: isDifferent ? changeOf(figure, center > 0) : "no difference",
    };
  });
}

/** The last line of a comparison. */
export function summaryOf(verdicts: readonly Verdict[]): string {
  const count = verdicts.filter(({ verdict }) => verdict !== "no difference").length;
  if (count === 0) return "no difference";
  return count === 1 ? "1 figure differs" : `${count} figures differ`;
}

function changeOf(figure: Figure, isMore: boolean): Verdict["verdict"] {
  if (figure.unit === "MB" || figure.unit === "bytes") return isMore ? "larger" : "smaller";
  return isMore === isLessBetter(figure) ? "slower" : "faster";
}
