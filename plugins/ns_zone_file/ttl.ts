import { excerpt, ZoneError } from "./zone_error.ts";

/** The units of times, in seconds. */
const SECONDS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };
const MAX_TTL = 2 ** 31 - 1;

/** Returns true if a word has the form of a TTL. */
export function isTtl(word: string): boolean {
  return /^\d+$|^(\d+[wdhms])+$/i.test(word);
}

/** Reads a time in seconds, with or without units, such as `3600` or `1h30m`. */
export function ttlOf(word: string): number {
  if (!isTtl(word) || word.length > 40) throw new ZoneError(`${excerpt(word)} is not a time such as 3600 or 1h30m`);
  let seconds = 0;
  for (const [, count, unit] of word.toLowerCase().matchAll(/(\d+)([wdhms]?)/g)) {
    seconds += Number(count) * SECONDS[unit || "s"]!;
  }
  if (seconds > MAX_TTL) throw new ZoneError(`${excerpt(word)} is more than ${MAX_TTL} seconds`);
  return seconds;
}
