/**
 * The source of the current time. Tests substitute a clock that they set themselves.
 *
 * @example
 * ```ts
 * import type { Clock } from "edgehelm";
 * import { today } from "edgehelm/fields";
 *
 * function billingDay(clock: Clock): string {
 *   return today(clock);
 * }
 * ```
 */
export interface Clock {
  /** Returns the current time in unix milliseconds. */
  now(): number;
  /** The time zone of the installation, whose midnights begin days: a name of the IANA database. Absent means UTC. */
  readonly timeZone?: string;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Returns the clock of the system for an installation in a time zone. */
export function systemClockIn(timeZone: string): Clock {
  return { ...systemClock, timeZone };
}

/** Schedules delayed work. Tests substitute timers that they advance themselves. */
export interface Timers {
  /** Runs `act` after a delay in milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, act: () => void): () => void;
}

/** The longest delay of a timer of the runtime, in milliseconds. A longer one would end at once, with a warning. */
export const MAX_TIMER = 2 ** 31 - 1;

export const systemTimers: Timers = {
  after(milliseconds, act) {
    let cancel: () => void;
    if (milliseconds > MAX_TIMER) {
      const timer = setTimeout(() => cancel = systemTimers.after(milliseconds - MAX_TIMER, act), MAX_TIMER);
      cancel = () => clearTimeout(timer);
    } else {
      const timer = setTimeout(act, milliseconds);
      cancel = () => clearTimeout(timer);
    }
    return () => cancel();
  },
};

/**
 * Returns the current time in unix seconds, the unit of database columns and messages.
 *
 * @example
 * ```ts
 * import { type Clock, unixSeconds } from "edgehelm";
 *
 * function expiresAt(clock: Clock): bigint {
 *   return unixSeconds(clock) + 3600n;
 * }
 * ```
 */
export function unixSeconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}
