import { language } from "../texts/mod.ts";

const RATES = ["bit", "kilobit", "megabit", "gigabit", "terabit"] as const;

/** Writes a number of bits in a second, such as `12 Mb/s`. */
export function bitRate(value: number): string {
  const [scaled, step] = scaledBy(value, RATES.length);
  return unit(scaled, `${RATES[step]!}-per-second`);
}

/** Writes a count, short if it is large, such as `1.2M`. */
export function shortCount(value: number): string {
  return new Intl.NumberFormat(language.value, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

function scaledBy(value: number, steps: number): readonly [scaled: number, step: number] {
  const step = Math.min(steps - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  return [value / 1000 ** step, step];
}

function unit(value: number, name: string): string {
  const options: Intl.NumberFormatOptions = {
    style: "unit",
    unit: name,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  };
  return new Intl.NumberFormat(language.value, options).format(value);
}
