import { kernelErrors } from "../../base/errors.ts";

/**
 * Waits for jobs that run one after another, for each at most so long; what comes after that is ignored. All of them
 * share a timer: to set one for each job costs more than a statement.
 */
export class JobLimit {
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;
  #late: (() => void) | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const late = () => reject(kernelErrors.deadline("the write transaction"));
      // A job that was given up may end while another runs.
      const ended = () => this.#late = this.#late === late ? undefined : this.#late;
      this.#startedAt = performance.now();
      this.#late = late;
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

  /** No job follows. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const left = this.#startedAt + this.#milliseconds - performance.now();
      if (left <= 0) this.#late?.();
      this.#timer = this.#wait(left > 0 ? left : this.#milliseconds);
    }, milliseconds);
  }
}
