const DAY_SECONDS = 86_400;
const UTC = "UTC";
/** The number of days that a zone remembers, about ten years. */
const MAX_REMEMBERED_DAYS = 4000;

/** The offsets of a time zone from UTC, such as 7200 for two hours ahead, in seconds. */
class Zone {
  readonly #format: Intl.DateTimeFormat;
  /** The offset of each day in UTC, by its number since 1970; undefined for a day on which clocks change. */
  readonly #ofDays = new Map<number, number | undefined>();

  constructor(timeZone: string) {
    const digits = "2-digit";
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", era: "short" },
      ...{ year: "numeric", month: digits, day: digits, hour: digits, minute: digits, second: digits },
    });
  }

  offsetAt(seconds: number): number {
    const day = Math.floor(seconds / DAY_SECONDS);
    const known = this.#ofDays.get(day);
    if (known !== undefined) return known;
    if (this.#ofDays.has(day)) return this.#measure(seconds);
    const first = this.#measure(day * DAY_SECONDS);
    const last = this.#measure((day + 1) * DAY_SECONDS - 1);
    if (this.#ofDays.size >= MAX_REMEMBERED_DAYS) this.#ofDays.clear();
    this.#ofDays.set(day, first === last ? first : undefined);
    return first === last ? first : this.#measure(seconds);
  }

  #measure(seconds: number): number {
    const parts = this.#format.formatToParts(seconds * 1000);
    const part = (type: Intl.DateTimeFormatPartTypes) =>
      Number(parts.find((candidate) => candidate.type === type)?.value);
    const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
    return shown / 1000 - Math.floor(seconds);
  }
}

const zones = new Map<string, Zone>();

/**
 * Returns how many seconds the clocks of a time zone are ahead of UTC at a time.
 *
 * @param seconds unix seconds
 */
export function offsetAt(timeZone: string | undefined, seconds: number): number {
  if (timeZone === undefined || timeZone === UTC) return 0;
  let zone = zones.get(timeZone);
  if (zone === undefined) zones.set(timeZone, zone = new Zone(timeZone));
  return zone.offsetAt(seconds);
}

/**
 * Returns the unix seconds at which the clocks of a time zone show a date and time. If they show it twice, it is the
 * first time; if they skip it, it is as long after the skip as it would have been.
 *
 * @param wall the date and time, read as if it were UTC, in unix seconds
 */
export function instantIn(timeZone: string | undefined, wall: number): number {
  const before = offsetAt(timeZone, wall - DAY_SECONDS);
  const after = offsetAt(timeZone, wall + DAY_SECONDS);
  const candidates = [wall - Math.max(before, after), wall - Math.min(before, after)];
  return candidates.find((at) => at + offsetAt(timeZone, at) === wall) ?? wall - before;
}

/** Returns true if the runtime knows a time zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
