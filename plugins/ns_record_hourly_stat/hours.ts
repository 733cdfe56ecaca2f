import { type Clock, invalid, unixSeconds } from "edgehelm";
import { compactDay, dayAt, dayField, timeOfDayAt, timeOn } from "edgehelm/fields";

/** Clocks change by whole half hours, so that no hour is missed. */
const STEP_SECONDS = 1800;

/** Returns the hour of a time in Unix seconds, as YYYYMMDDHH. */
export function hourAt(clock: Clock, seconds: number): string {
  return compactDay(dayAt(clock, seconds)) + timeOfDayAt(clock, seconds).slice(0, 2);
}

/** Returns the Unix seconds at which an hour begins. */
export function hourStart(clock: Clock, hour: string): number {
  const [day, hours] = [`${hour.slice(0, 4)}-${hour.slice(4, 6)}-${hour.slice(6, 8)}`, Number(hour.slice(8))];
  return timeOn(clock, day, hours * 3600);
}

/** Checks an hour as YYYYMMDDHH. */
export function hourField(field: string, text: string): string {
  const refuse = () => invalid(field, `must be an hour as YYYYMMDDHH, got "${text.slice(0, 60)}"`);
  if (!/^\d{8}([01]\d|2[0-3])$/.test(text)) throw refuse();
  try {
    dayField(field, `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`);
  } catch {
    throw refuse();
  }
  return text;
}

/** Returns the last `count` hours, oldest first; the last one is the current one. Hours that clocks show twice are one. */
export function lastHours(clock: Clock, count: number): string[] {
  const hours = new Set<string>();
  for (let at = Number(unixSeconds(clock)); hours.size < count; at -= STEP_SECONDS) hours.add(hourAt(clock, at));
  return [...hours].reverse();
}

/** Checks a number of hours; 0 means 24. */
export function hoursField(field: string, value: number): number {
  if (value === 0) return 24;
  if (value < 1 || value > 744) throw invalid(field, `must be 1 to 744, got ${value}`);
  return value;
}
