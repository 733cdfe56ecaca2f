import type { ConsoleConfig } from "../proto/config_pb.ts";

const [DEFAULT_HOURS, MAX_HOURS] = [12, 720];
// Longer than a token lives, or sessions would end while they are used.
const [DEFAULT_MINUTES, MIN_MINUTES, MAX_MINUTES] = [30, 6, 1440];

/** The times after which sessions end. */
export interface SessionTimes {
  readonly sessionSeconds: bigint;
  readonly idleSeconds: bigint;
}

/** @throws Error, which stops the start, for a setting that is out of range */
export function sessionTimes({ sessionHours, idleMinutes }: ConsoleConfig): SessionTimes {
  const hours = setting("sessionHours", sessionHours || DEFAULT_HOURS, 1, MAX_HOURS);
  const minutes = setting("idleMinutes", idleMinutes || DEFAULT_MINUTES, MIN_MINUTES, MAX_MINUTES);
  return { sessionSeconds: BigInt(hours) * 3600n, idleSeconds: BigInt(minutes) * 60n };
}

function setting(name: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw new Error(`${name} must be 0 or ${min} to ${max}, got ${value}`);
}
