import { language } from "../../../texts/mod.ts";

/** Formats a duration in seconds: milliseconds below one second. */
export function durationText(seconds: number): string {
  const options = { style: "unit", unit: seconds < 1 ? "millisecond" : "second", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.value, options).format(seconds < 1 ? Math.round(seconds * 1000) : seconds);
}
