import { kernelErrors } from "../../base/errors.ts";

/**
 * Limits the time of jobs that run one after another; the result of a job that is late is ignored. The jobs share one
 * timer, since a timer for each job would cost more than a statement.
 */
export class JobTimeout {
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;
  #onTimeout: (() => void) | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onTimeout = () => reject(kernelErrors.deadline("the write transaction"));
      // A job that timed out may end while another runs.
      const ended = () => this.#onTimeout = this.#onTimeout === onTimeout ? undefined : this.#onTimeout;
      this.#startedAt = performance.now();
      this.#onTimeout = onTimeout;
      this.#timer ??= this.#wait(this.#milliseconds);
      work().then((result) => {
        ended();
        resolve(result);
      }, (error) => {
        ended();
        reject(error);
      });
    });
  }

  /** Stops the timer. Call it after the last job. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const remaining = this.#startedAt + this.#milliseconds - performance.now();
      if (remaining <= 0) this.#onTimeout?.();
      this.#timer = this.#wait(remaining > 0 ? remaining : this.#milliseconds);
    }, milliseconds);
  }
}
