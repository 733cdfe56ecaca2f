/** Where the time comes from; tests put their own in. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Unix seconds as the database and the messages keep them. */
export function unixSeconds(clock: Clock): bigint {
  return BigInt(Math.floor(clock.now() / 1000));
}
