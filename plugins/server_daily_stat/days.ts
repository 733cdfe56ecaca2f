import { type Clock, invalid } from "edgehelm";
import { addDays, compactDay, dayAt, dayField as isoDayField, dayStart, timeOfDayAt } from "edgehelm/fields";

export const SLOT_SECONDS = 300;
/** Clocks change by whole half hours, so that no hour is shown for less. */
export const HALF_HOUR = 1800;

/** The number of a day such as 2026-01-31, as it is stored: 20260131. */
export function dayNumber(day: string): bigint {
  return BigInt(compactDay(day));
}

/** Returns the day of its number. */
export function dayOfNumber(number: bigint | string): string {
  const text = String(number);
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

/** Checks a day and returns it as 2026-01-31. */
export function dayField(field: string, text: string): string {
  if (!/^\d{4}-?\d{2}-?\d{2}$/.test(text)) return refuseDay(field, text);
  try {
    return isoDayField(field, text);
  } catch {
    return refuseDay(field, text);
  }
}

function refuseDay(field: string, text: string): never {
  throw invalid(field, `must be a day as YYYYMMDD, got "${text.slice(0, 60)}"`);
}

/** Five minutes of a day. A day has 288 slots, or fewer or more if clocks change on it. */
export interface Slot {
  /** Such as 2026-01-31. */
  readonly day: string;
  /** Counted from midnight. */
  readonly slot: number;
}

export function slotAt(clock: Clock, seconds: number): Slot {
  const day = dayAt(clock, seconds);
  return { day, slot: Math.floor((seconds - dayStart(clock, day)) / SLOT_SECONDS) };
}

/** Returns the unix seconds at which a slot begins. */
export function slotStart(clock: Clock, { day, slot }: Slot): number {
  return dayStart(clock, day) + slot * SLOT_SECONDS;
}

/** Returns the number of slots from the first to the last day, including both. */
export function slotsBetween(clock: Clock, dayFrom: string, dayTo: string): number {
  return (dayStart(clock, addDays(dayTo, 1)) - dayStart(clock, dayFrom)) / SLOT_SECONDS;
}

/** Returns what clocks show at a time, as HHMMSS. */
export function timeText(clock: Clock, seconds: number): string {
  return timeOfDayAt(clock, seconds).replaceAll(":", "");
}

/** Returns the hour of a time, as YYYYMMDDHH. */
export function hourText(clock: Clock, seconds: number): string {
  return compactDay(dayAt(clock, seconds)) + timeText(clock, seconds).slice(0, 2);
}

/** Returns the minute of a time, as YYYYMMDDHHMM. */
export function minuteText(clock: Clock, seconds: number): string {
  return compactDay(dayAt(clock, seconds)) + timeText(clock, seconds).slice(0, 4);
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
  return (Date.parse(dayTo) - Date.parse(dayFrom)) / 86_400_000 + 1;
}

/**
 * Returns the texts of the last `count` periods, oldest first; the last one contains `now`. Periods that clocks show
 * twice are one.
 *
 * @param textOf such as {@link hourText}
 * @param step at most the length of a period in seconds
 */
export function lastPeriods(now: number, step: number, count: number, textOf: (seconds: number) => string) {
  const first = new Map<string, number>();
  let at = Math.floor(now / SLOT_SECONDS) * SLOT_SECONDS;
  for (let text = textOf(at); first.size < count || first.has(text); text = textOf(at)) {
    first.set(text, at);
    at -= step;
  }
  return { texts: [...first.keys()].reverse(), from: Math.min(...first.values()) - step + SLOT_SECONDS };
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
