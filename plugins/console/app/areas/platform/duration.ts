import { language } from "../../texts/mod.ts";

/** Formats a duration in seconds: milliseconds below one second. */
export function durationText(seconds: number): string {
  const options = { style: "unit", unit: seconds < 1 ? "millisecond" : "second", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.value, options).format(seconds < 1 ? Math.round(seconds * 1000) : seconds);
}

const STEPS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]] as const;

/** Formats an interval in seconds in its largest whole unit, such as `5 minutes`. */
export function intervalText(seconds: number): string {
  const [unit, length] = STEPS.find(([, length]) => seconds >= length && seconds % length === 0) ?? ["second", 1];
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
