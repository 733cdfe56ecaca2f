import { type Clock, invalid } from "edgehelm";
import { addDays, today } from "edgehelm/fields";
import type { UserPlanConfig } from "./proto/config_pb.ts";
import type { UserPlanRow } from "./store.ts";

const DEFAULT_WARN_DAYS = 7;
const MAX_DAYS = 365;

/** The days on which the end of a plan is announced, and on which its sites stop. */
export class PlanTerms {
  readonly #warnDays: number;
  readonly #graceDays: number;
  readonly #clock: Clock;

  /** Refuses an invalid configuration. */
  constructor(
    { warnDays = DEFAULT_WARN_DAYS, graceDays }: Pick<UserPlanConfig, "warnDays" | "graceDays">,
    clock: Clock,
  ) {
    this.#warnDays = daysField("warnDays", warnDays);
    this.#graceDays = daysField("graceDays", graceDays);
    this.#clock = clock;
  }

  /** The plans whose last day is from today until this day are announced to end. */
  get warnUntil(): string {
    return addDays(today(this.#clock), this.#warnDays);
  }

  /** The first last day of plans whose sites are still served. */
  get servedFrom(): string {
    return addDays(today(this.#clock), -this.#graceDays);
  }

  /** Returns the last day on which sites of a plan with this last day are served. */
  lastServed(dayTo: string): string {
    return addDays(dayTo, this.#graceDays);
  }

  /** Returns true if the sites of the plan are served. */
  serves({ isOn, dayTo }: Pick<UserPlanRow, "isOn" | "dayTo">): boolean {
    return isOn === 1n && dayTo >= this.servedFrom;
  }
}

function daysField(field: string, days: number): number {
  if (days < 0 || days > MAX_DAYS) throw invalid(field, `must be 0 to ${MAX_DAYS}, got ${days}`);
  return days;
}
