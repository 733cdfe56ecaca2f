/** Where the time comes from; tests put their own in. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** What waits; tests put their own in. */
export interface Timers {
  /** Runs `act` after so many milliseconds. Answers what to call when it should not any more. */
  after(milliseconds: number, act: () => void): () => void;
}

export const systemTimers: Timers = {
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Unix seconds as the database and the messages keep them. */
export function unixSeconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}
