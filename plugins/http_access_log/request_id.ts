import { invalid } from "edgehelm";
import { firstOf } from "./contract/request_time.ts";
import { errors } from "./errors.ts";

const FORM = /^\d{11}[\w.-]{0,89}$/;
const HOUR = 3600;
const DAY = 24 * HOUR;
/** Sorts after every character that a request id may contain. */
const AFTER_ALL = "~";

/** Validates a request id. It begins with ten digits of unix seconds, so ids sort by time. */
export function requestIdField(field: string, value: string): string {
  if (FORM.test(value)) return value;
  throw errors.invalid_request_id(field, value);
}

/** Returns the bounds of the request ids of a day, or of some of its hours; throws if `day` is not a date. */
export function spanOf({ day, hourFrom, hourTo }: { day: string; hourFrom: string; hourTo: string }) {
  const start = dayField("day", day);
  if (hourFrom === "" || hourTo === "") return { from: firstOf(start), to: firstOf(start + DAY - 1) + AFTER_ALL };
  const [first, last] = [hourField("hourFrom", hourFrom), hourField("hourTo", hourTo)];
  return { from: firstOf(start + first * HOUR), to: firstOf(start + (last + 1) * HOUR - 1) + AFTER_ALL };
}

/** Returns the bounds of the request ids of a day, which is the number YYYYMMDD. */
export function boundsOfDay(day: bigint): { from: string; to: string } {
  const start = dayField("day", String(day));
  return { from: firstOf(start), to: firstOf(start + DAY - 1) + AFTER_ALL };
}

export function dayField(field: string, text: string): number {
  const time = Date.parse(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
  const isDay = /^\d{8}$/.test(text) && !Number.isNaN(time) &&
    new Date(time).toISOString().slice(0, 10).replaceAll("-", "") === text;
  if (isDay) return time / 1000;
  throw invalid(field, `invalid '${field}': must be a day as YYYYMMDD, got "${text.slice(0, 60)}"`);
}

function hourField(field: string, text: string): number {
  if (/^([01]?\d|2[0-3])$/.test(text)) return Number(text);
  throw invalid(field, `must be an hour, 0 to 23, got "${text.slice(0, 60)}"`);
}
