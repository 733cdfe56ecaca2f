import { invalid } from "edgehelm";

const DAY_SECONDS = 86_400;
export const SLOT_SECONDS = 300;
export const SLOTS_PER_DAY = DAY_SECONDS / SLOT_SECONDS;

/** The moment at which a day begins in UTC, in unix seconds; refuses what is no day. */
export function dayField(field: string, text: string): number {
  const digits = text.replaceAll("-", "");
  const seconds = Date.parse(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}T00:00:00Z`) / 1000;
  if (/^\d{8}$/.test(digits) && dayText(seconds) === digits) return seconds;
  throw invalid(field, `must be a day as YYYYMMDD, got "${text.slice(0, 60)}"`);
}

/** A day as YYYYMMDD. */
export function dayText(seconds: number): string {
  return Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll("-", "") : "";
}

/** A time of day as HHMMSS. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, 19).replaceAll(":", "");
}

/** The seconds of a day before a time as HHMMSS or HHMM; refuses what is no time. */
export function timeField(field: string, text: string): number {
  const [, hours, minutes, seconds = "0"] = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)?$/.exec(text) ?? [];
  if (hours === undefined) throw invalid(field, `must be a time as HHMMSS, got "${text.slice(0, 60)}"`);
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** The first and the last day of a month as YYYYMM. */
export function monthField(field: string, text: string): { dayFrom: bigint; dayTo: bigint } {
  if (!/^\d{4}(0[1-9]|1[0-2])$/.test(text)) {
    throw invalid(field, `must be a month as YYYYMM, got "${text.slice(0, 60)}"`);
  }
  return { dayFrom: BigInt(`${text}01`), dayTo: BigInt(`${text}31`) };
}

/** How many days there are from one to another, both included. */
export function daysBetween(dayFrom: string, dayTo: string): number {
  return (dayField("dayTo", dayTo) - dayField("dayFrom", dayFrom)) / DAY_SECONDS + 1;
}

/** The beginnings of the last `count` periods, the one that `now` is in included; the oldest first. */
export function lastPeriods(now: number, seconds: number, count: number): number[] {
  const current = Math.floor(now / seconds) * seconds;
  return Array.from({ length: count }, (_, index) => current - (count - 1 - index) * seconds);
}

/** A number that a request may leave out. */
export function spanField(
  field: string,
  value: number,
  limits: { min: number; max: number; byDefault: number },
): number {
  const { min, max, byDefault } = limits;
  if (value === 0) return byDefault;
  if (value < min || value > max) throw invalid(field, `must be ${min} to ${max}, got ${value}`);
  return value;
}
