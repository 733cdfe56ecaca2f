import { invalid } from "edgehelm";

const DAY_SECONDS = 86_400;
export const SLOT_SECONDS = 300;
export const SLOTS_PER_DAY = DAY_SECONDS / SLOT_SECONDS;

/** Returns the start of a day in UTC, in Unix seconds. Refuses an invalid day. */
export function dayField(field: string, text: string): number {
  const digits = text.replaceAll("-", "");
  const seconds = Date.parse(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}T00:00:00Z`) / 1000;
  if (/^\d{8}$/.test(digits) && dayText(seconds) === digits) return seconds;
  throw invalid(field, `must be a day as YYYYMMDD, got "${text.slice(0, 60)}"`);
}

/** Returns the day of a time in Unix seconds, as YYYYMMDD. */
export function dayText(seconds: number): string {
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll("-", "") : "";
}

/** Returns the time of day of a time in Unix seconds, as HHMMSS. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19).replaceAll(":", "");
}

/** Returns the seconds since midnight of a time as HHMMSS or HHMM. Refuses an invalid time. */
export function timeField(field: string, text: string): number {
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/.exec(text) ?? [];
  if (hours === undefined) throw invalid(field, `must be a time as HHMMSS, got "${text.slice(0, 60)}"`);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Returns a range of days that covers a month as YYYYMM. */
export function monthField(field: string, text: string): { dayFrom: bigint; dayTo: bigint } {
  if (!/^\d{4}(0[1-9]|1[0-2])$/.test(text)) {
    throw invalid(field, `must be a month as YYYYMM, got "${text.slice(0, 60)}"`);
  }
  return { dayFrom: BigInt(`${text}01`), dayTo: BigInt(`${text}31`) };
}

/** Returns the number of days in a range, including both ends. */
export function daysBetween(dayFrom: string, dayTo: string): number {
  return (dayField("dayTo", dayTo) - dayField("dayFrom", dayFrom)) / DAY_SECONDS + 1;
}

/** Returns the start times of the last `count` periods, oldest first; the last one contains `now`. */
export function lastPeriods(now: number, seconds: number, count: number): number[] {
  const current = Math.floor(now / seconds) * seconds;
  return Array.from({ length: count }, (_, index) => current - (count - 1 - index) * seconds);
}

/** Checks a number of periods; 0 means the default. */
export function spanField(
  field: string,
  value: number,
  limits: { min: number; max: number; defaultValue: number },
): number {
  const { min, max, defaultValue } = limits;
  if (value === 0) return defaultValue;
  if (value < min || value > max) throw invalid(field, `must be ${min} to ${max}, got ${value}`);
  return value;
}
