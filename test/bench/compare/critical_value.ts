import { mean, quantile } from "../report/statistics.ts";
import { randomNumbers } from "./random.ts";

/** Up to here all combinations of signs are tried, beyond it a random sample of them. */
const ALL_COMBINATIONS_UP_TO = 13;
const SAMPLED_COMBINATIONS = 4096;

/** The mean of some numbers in units of its standard error; 0 when they do not vary around 0. */
export function studentized(numbers: readonly number[]): number {
  const center = mean(numbers);
  const error = standardError(numbers);
  return error === 0 ? 0 : center / error;
}

export function standardError(numbers: readonly number[]): number {
  const center = mean(numbers);
  const squares = numbers.reduce((sum, number) => sum + (number - center) ** 2, 0);
  return Math.sqrt(squares / (numbers.length - 1) / numbers.length);
}

/**
 * The multiple of the standard error that no figure's mean differs by from its true value, with this confidence for all
 * figures together. It comes from the samples themselves: rounds are centred and their signs flipped, for all figures at
 * once, since figures of one round depend on one another.
 *
 * @param differences for each figure its difference in each round
 */
export function criticalValue(differences: readonly (readonly number[])[], confidence: number): number {
  const centred = differences.map((rounds) => {
    const center = mean(rounds);
    return rounds.map((difference) => difference - center);
  });
  const rounds = centred[0]!.length;
  const greatest = signCombinations(rounds).map((signs) =>
    Math.max(
      ...centred.map((residuals) =>
        Math.abs(studentized(residuals.map((residual, round) => residual * signs[round]!)))
      ),
    )
  );
  return quantile(greatest, confidence);
}

/** A combination and its opposite give the same, so that the first sign is always positive. */
function signCombinations(rounds: number): (readonly number[])[] {
  if (rounds <= ALL_COMBINATIONS_UP_TO) {
    const signs = (combination: number) =>
      Array.from({ length: rounds }, (_, round) => (combination >> round & 1) === 0 ? 1 : -1);
    return Array.from({ length: 2 ** (rounds - 1) }, (_, combination) => signs(combination << 1));
  }
  const random = randomNumbers(20_260_101);
  return Array.from(
    { length: SAMPLED_COMBINATIONS },
    () => Array.from({ length: rounds }, () => random() < 0.5 ? 1 : -1),
  );
}
