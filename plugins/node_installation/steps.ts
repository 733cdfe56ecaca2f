/** The steps of an installation, in order. */
export const STEPS = ["connect", "directory", "upload", "unpack", "configure", "test", "start"] as const;
export type StepCode = (typeof STEPS)[number];

/** One step. Times are unix seconds; 0 while it runs. */
export interface Step {
  readonly code: StepCode;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The part of it that is done, from 0 to 100. */
  readonly percent: number;
}

/** The steps that an installation has begun. */
export class Progress {
  readonly #now: () => number;
  readonly #changed: () => Promise<void>;
  #steps: Step[] = [];
  version = "";

  /** @param changed records the steps */
  constructor(now: () => number, changed: () => Promise<void>) {
    this.#now = now;
    this.#changed = changed;
  }

  get json(): string {
    return JSON.stringify(this.#steps);
  }

  /** Ends the current step and begins the next one. */
  async begin(code: StepCode): Promise<void> {
    this.end();
    this.#steps = [...this.#steps, { code, startedAt: this.#now(), endedAt: 0, percent: 0 }];
    await this.#changed();
  }

  /** Notes how much of the current step is done. The next heartbeat records it. */
  done(percent: number): void {
    this.#replace({ percent: Math.floor(percent) });
  }

  /** Ends the current step, which succeeded. */
  end(): void {
    this.#replace({ endedAt: this.#now(), percent: 100 });
  }

  #replace(change: Partial<Step>): void {
    this.#steps = this.#steps.map((step, index) => index === this.#steps.length - 1 ? { ...step, ...change } : step);
  }
}
