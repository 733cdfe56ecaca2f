/** The days of a time zone, found by asking what clocks show at every quarter of an hour. */
export class ModelDays {
  readonly #format: Intl.DateTimeFormat;
  readonly #starts = new Map<string, number>();
  readonly #shown = new Map<number, string>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  }

  dayOf(at: number): string {
    const quarter = Math.floor(at / 900);
    let shown = this.#shown.get(quarter);
    if (shown === undefined) this.#shown.set(quarter, shown = this.#format.format(quarter * 900_000));
    return shown;
  }

  /** Returns the first quarter of an hour that belongs to the day or a later one. */
  startOf(day: string): number {
    let start = this.#starts.get(day);
    if (start !== undefined) return start;
    const midnight = Date.parse(`${day}T00:00:00Z`) / 1000;
    for (start = midnight - 15 * 3600; this.dayOf(start) < day;) start += 900;
    this.#starts.set(day, start);
    return start;
  }
}

export function nextDay(day: string, count = 1): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

export function lastDayOfMonth(day: string): string {
  let last = day;
  while (nextDay(last).slice(0, 7) === day.slice(0, 7)) last = nextDay(last);
  return last;
}
