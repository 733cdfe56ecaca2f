import { kernelErrors } from "../../base/errors.ts";
import { stalledWrite } from "../../storage/stalled_write.ts";

/** The time limits of one job, in milliseconds. */
export interface JobTimes {
  /** From its start to its end. */
  readonly jobTime: number;
  /** Between two of its statements. */
  readonly idleTime: number;
}

/**
 * Limits the time of jobs that run one after another; the result of a job that is late is ignored. The jobs share one
 * timer, since a timer for each job would cost more than a statement.
 */
export class JobTimeout {
  readonly #times: JobTimes;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;
  #activeAt = 0;
  #onTimeout: ((error: Error) => void) | undefined;

  constructor(times: JobTimes) {
    this.#times = times;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const onTimeout = (error: Error) => reject(error);
      // A job that timed out may end while another runs.
      const ended = () => this.#onTimeout = this.#onTimeout === onTimeout ? undefined : this.#onTimeout;
      this.#startedAt = this.#activeAt = performance.now();
      this.#onTimeout = onTimeout;
      this.#timer ??= this.#wait(Math.min(this.#times.jobTime, this.#times.idleTime));
      work().then((result) => {
        ended();
        resolve(result);
      }, (error) => {
        ended();
        reject(error);
      });
    });
  }

  /** Declares that the running job has run a statement. */
  readonly active = (): void => {
    this.#activeAt = performance.now();
  };

  /** Stops the timer. Call it after the last job. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(milliseconds: number): ReturnType<typeof setTimeout> {
    const due = performance.now() + milliseconds;
    return setTimeout(() => {
      const { jobTime, idleTime } = this.#times;
      const now = performance.now();
      // If the process itself stood still, a job could not run a statement.
      if (now - due > idleTime / 2) this.#activeAt = now;
      if (this.#startedAt + jobTime <= now) this.#onTimeout?.(kernelErrors.deadline("the write transaction"));
      else if (this.#activeAt + idleTime <= now) this.#onTimeout?.(stalledWrite(idleTime));
      const remaining = Math.min(this.#startedAt + jobTime, this.#activeAt + idleTime) - now;
      this.#timer = this.#wait(remaining > 0 ? remaining : Math.min(jobTime, idleTime));
    }, milliseconds);
  }
}
