import { language } from "./mod.ts";

const SIZES = ["B", "KB", "MB", "GB", "TB", "PB", "EB"];

/** Formats a number of bytes, each unit 1024 of the one before, as bills count them: `1.5 GB`. */
export function bytesText(bytes: bigint | number): string {
  let value = Number(bytes);
  let unit = 0;
  for (; value >= 1024 && unit < SIZES.length - 1; unit++) value /= 1024;
  const maximumFractionDigits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${new Intl.NumberFormat(language.value, { maximumFractionDigits }).format(value)} ${SIZES[unit]}`;
}

/** Returns the number of bytes in the largest unit that fits: a chart that counts in it has round figures. */
export function byteUnit(bytes: number): number {
  const steps = Math.floor(Math.log2(Math.max(1, bytes)) / 10);
  return 1024 ** Math.min(SIZES.length - 1, steps);
}

/** Formats an amount of money, with the currency if it is known. */
export function moneyText(amount: number, currency = ""): string {
  const format = new Intl.NumberFormat(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return currency === "" ? format.format(amount) : `${format.format(amount)} ${currency}`;
}

/** Formats a day of the server, such as `2026-01-31` or `20260131`. */
export function dayText(day: string): string {
  return formatted(day, { dateStyle: "medium" });
}

/** Formats a month of the server, such as `202601`. */
export function monthText(month: string): string {
  return formatted(`${month}01`, { year: "numeric", month: "long" });
}

/** Returns the number of days from today until a day of the server, negative for a day that has passed. */
export function daysUntil(day: string, now: Date = new Date()): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((dateOf(day).getTime() - today) / 86_400_000);
}

/** Formats a number of days from today, such as `in 3 days`. */
export function relativeDays(days: number): string {
  return new Intl.RelativeTimeFormat(language.value, { numeric: "auto" }).format(days, "day");
}

function formatted(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language.value, { ...options, timeZone: "UTC" }).format(dateOf(day));
}

function dateOf(day: string): Date {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(day) ?? [];
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
}
