import { kernelErrors } from "../../errors.ts";
import { gate } from "../../gate.ts";

/** Milliseconds for which who has a turn may still have it when nobody waits for it any more. */
const GRACE = 1000;

/** Gives a turn back; a second time does nothing. */
export type PassOn = () => void;

interface Waiting {
  readonly until: number;
  readonly open: () => void;
  given?: PassOn;
}

/** Lets so many through at a time, in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<Waiting>();
  /** Who may not wait behind calls. */
  readonly #urgent = new Set<Waiting>();
  /** The turns that are taken, and until when. */
  readonly #taken = new Map<PassOn, number>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.size + this.#urgent.size;
  }

  /**
   * Waits for a turn; what it answers gives the turn back.
   *
   * @param until unix milliseconds, when nobody waits any more, and the work of this turn has ended too
   */
  async take(until: number, isUrgent = false): Promise<PassOn> {
    if (this.#free === 0) this.#takeBackLost();
    if (this.#free === 0) return await this.#wait(until, isUrgent ? this.#urgent : this.#waiting);
    this.#free--;
    return this.#give(until);
  }

  async #wait(until: number, line: Set<Waiting>): Promise<PassOn> {
    const { opened, open } = gate(until);
    const waiting: Waiting = { until, open };
    line.add(waiting);
    await opened;
    line.delete(waiting);
    if (waiting.given === undefined) throw kernelErrors.deadline("waiting for the database");
    return waiting.given;
  }

  #give(until: number): PassOn {
    const passOn: PassOn = () => void (this.#taken.delete(passOn) && this.#pass());
    this.#taken.set(passOn, until + GRACE);
    return passOn;
  }

  #pass(): void {
    const now = Date.now();
    for (const line of [this.#urgent, this.#waiting]) {
      for (const next of line) {
        line.delete(next);
        if (next.until <= now) continue;
        next.given = this.#give(next.until);
        next.open();
        return;
      }
    }
    this.#free++;
  }

  /** Some runtimes end a request in the middle of what it does; it would keep its turn for ever. */
  #takeBackLost(): void {
    const now = Date.now();
    for (const [passOn, until] of this.#taken) if (until < now) passOn();
  }
}
