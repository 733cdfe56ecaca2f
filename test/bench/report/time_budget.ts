/** The time that a suite may take, and the rounds that fit into it. */
export class TimeBudget {
  readonly #started: number;
  readonly #end: number;
  readonly #now: () => number;
  #roundStarted: number;
  #longestRound = 0;

  /** @param now a clock in milliseconds */
  constructor(minutes: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#started = this.#roundStarted = now();
    this.#end = this.#started + minutes * 60_000;
  }

  beginRound(): void {
    this.#roundStarted = this.#now();
  }

  endRound(): void {
    this.#longestRound = Math.max(this.#longestRound, this.#now() - this.#roundStarted);
  }

  /** True when another round as long as the longest one ends in time. */
  get hasRoom(): boolean {
    return this.#now() + this.#longestRound <= this.#end;
  }

  /** True when the time is over, within a round or not. */
  get isOver(): boolean {
    return this.#now() >= this.#end;
  }

  get elapsedSeconds(): number {
    return (this.#now() - this.#started) / 1000;
  }
}
