import type { RoundStep } from "../harness/instances.ts";

/** The job is due once a second; what its clock may be early. */
const SHORTEST_GAP = 850;

/** What came of the job that is due every second. */
export function roundFigures(steps: readonly RoundStep[]) {
  const began = steps.filter(({ step }) => step === "began");
  const gaps = began.slice(1).map(({ at }, index) => at - began[index]!.at);
  const overlapping = began.filter(({ run }) => {
    const [first, last] = [steps.findIndex((one) => one.run === run), steps.findLastIndex((one) => one.run === run)];
    return last - first > 1;
  });
  return {
    began: began.length,
    ended: steps.length - began.length,
    /** Rounds that began before another one was over, and wrote. */
    overlapping: overlapping.length,
    tooEarly: gaps.filter((gap) => gap < SHORTEST_GAP).length,
    shortestGap: Math.min(...gaps),
    longestGap: Math.max(...gaps),
  };
}
