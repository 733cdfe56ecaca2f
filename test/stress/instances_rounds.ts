import type { RoundStep } from "../harness/instances.ts";

/** The job is due once a second, with a tolerance for clock differences. */
const MIN_GAP = 850;

/** Summarises the rounds of the job that is due every second. */
export function roundFigures(steps: readonly RoundStep[]) {
  const began = steps.filter(({ step }) => step === "began");
  const gaps = began.slice(1).map(({ at }, index) => at - began[index]!.at);
  const overlapping = began.filter(({ run }) => {
    const [first, last] = [
      steps.findIndex((step) => step.run === run),
      steps.findLastIndex((step) => step.run === run),
    ];
    return last - first > 1;
  });
  return {
    began: began.length,
    ended: steps.length - began.length,
    /** The number of rounds that wrote while another round was in progress. */
    overlapping: overlapping.length,
    tooEarly: gaps.filter((gap) => gap < MIN_GAP).length,
    minGap: Math.min(...gaps),
    maxGap: Math.max(...gaps),
  };
}
