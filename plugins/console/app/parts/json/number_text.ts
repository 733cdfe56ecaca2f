import { bytesText } from "../../texts/amounts.ts";
import { language, time } from "../../texts/mod.ts";
import { isObject, type Json, type JsonObject } from "./value.ts";

/** The units of amounts in JSON that are words. */
const WORDS: Readonly<Record<string, string>> = {
  day: "day",
  week: "week",
  month: "month",
  year: "year",
  hour: "hour",
  minute: "minute",
  second: "second",
  ms: "millisecond",
};
/** Times before this are durations or mistakes. */
const FIRST_TIME = 1_000_000_000;

/** A number with its unit in JSON, such as `{"count": 5, "unit": "minute"}`. */
export interface Amount extends JsonObject {
  readonly count: number;
  readonly unit: string;
}

export function isAmount(value: Json): value is Amount {
  return isObject(value) && Object.keys(value).length === 2 && typeof value["count"] === "number" &&
    typeof value["unit"] === "string";
}

/** Writes an amount, such as `5 minutes`. */
export function amountText({ count, unit }: Amount): string {
  const word = Object.hasOwn(WORDS, unit) ? WORDS[unit] : undefined;
  return word === undefined ? `${plain(count)} ${unit.toUpperCase()}` : withUnit(count, word);
}

/** Writes a number of JSON in the unit that its name says: bytes, seconds, a time or percent. */
export function numberText(name: string, value: number): string {
  if (/(^|[a-z])bytes$/i.test(name)) return bytesText(value);
  if (/At$/.test(name) && value >= FIRST_TIME) return time(BigInt(Math.trunc(value)));
  if (/milliseconds$/i.test(name)) return withUnit(value, "millisecond");
  if (/(^|[a-z])seconds$/i.test(name)) return withUnit(value, "second");
  if (/percent$/i.test(name)) return `${plain(value)} %`;
  return String(value);
}

function plain(value: number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

function withUnit(value: number, unit: string): string {
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(value);
}
