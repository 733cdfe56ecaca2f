/** The mean and variance of samples that arrive one by one (Welford's algorithm). */
export class Moments {
  #count = 0;
  #mean = 0;
  #squares = 0;

  add(sample: number): void {
    this.#count++;
    const distance = sample - this.#mean;
    this.#mean += distance / this.#count;
    this.#squares += distance * (sample - this.#mean);
  }

  get count(): number {
    return this.#count;
  }

  get mean(): number {
    return this.#mean;
  }

  /** The unbiased variance. */
  get variance(): number {
    return this.#squares / (this.#count - 1);
  }
}

/** Returns the t statistic of Welch's test: how many standard errors the means of two classes lie apart. */
export function welchT(first: Moments, second: Moments): number {
  return (first.mean - second.mean) / Math.sqrt(first.variance / first.count + second.variance / second.count);
}
