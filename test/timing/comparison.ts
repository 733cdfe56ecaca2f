import { Moments, welchT } from "./welch.ts";

/** The bound of dudect and of ISO/IEC 17825 for |t|: beyond it two classes differ. */
export const MAX_T = 4.5;
/** The samples from which the bound of an outlier is taken, and the share of them that it lets pass. */
const CALIBRATION_SAMPLES = 2000;
const INLIERS = 0.9;

/** The result of a comparison. Times are in microseconds. */
export interface Comparison {
  readonly counts: readonly [number, number];
  readonly means: readonly [number, number];
  /** The t statistic of all samples. */
  readonly t: number;
  /** The t statistic without the slowest tenth, which pauses of the machine caused. */
  readonly tOfInliers: number;
}

/**
 * Compares the durations of two actions, of which a random one runs each time.
 *
 * @param samples the number of samples of each action
 * @param measure runs one action and returns its duration in microseconds
 */
export async function compare(
  samples: number,
  measure: (action: 0 | 1) => number | Promise<number>,
): Promise<Comparison> {
  const bound = await outlierBound(measure);
  const all = [new Moments(), new Moments()] as const;
  const inliers = [new Moments(), new Moments()] as const;
  while (all[0].count < samples || all[1].count < samples) {
    const action = randomAction();
    const duration = await measure(action);
    if (all[action].count === samples) continue;
    all[action].add(duration);
    if (duration <= bound) inliers[action].add(duration);
  }
  return {
    counts: [all[0].count, all[1].count],
    means: [all[0].mean, all[1].mean],
    t: welchT(...all),
    tOfInliers: welchT(...inliers),
  };
}

/** Returns true if the comparison tells the actions apart. */
export function isTellingApart({ t, tOfInliers }: Comparison): boolean {
  return Math.abs(t) >= MAX_T || Math.abs(tOfInliers) >= MAX_T;
}

async function outlierBound(measure: (action: 0 | 1) => number | Promise<number>): Promise<number> {
  const durations: number[] = [];
  for (let count = 0; count < CALIBRATION_SAMPLES; count++) durations.push(await measure(randomAction()));
  return durations.sort((first, second) => first - second)[Math.floor(durations.length * INLIERS)]!;
}

function randomAction(): 0 | 1 {
  return Math.random() < 0.5 ? 0 : 1;
}
