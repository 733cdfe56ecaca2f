import { type Call, type Clock, unixSeconds } from "edgehelm";
import { addDays, addMonths, today } from "edgehelm/fields";
import type { BillGenerator, BillStores } from "./generate.ts";
import { type BillingPeriod, dayPeriod, monthOf, monthPeriod } from "./periods.ts";

/** Days that were missed for longer are billed with their month. */
const MAX_MISSED_DAYS = 31;
const MONTH_LENGTH = "202601".length;
const DAY_LENGTH = "2026-01-31".length;

/** Bills the days and months that have ended and whose grace for late traffic is over, once each and in order. */
export class AutomaticBilling {
  readonly #stores: BillStores;
  readonly #generator: BillGenerator;
  readonly #clock: Clock;
  readonly #graceDays: number;

  constructor(stores: BillStores, generator: BillGenerator, clock: Clock, graceDays: number) {
    this.#stores = stores;
    this.#generator = generator;
    this.#clock = clock;
    this.#graceDays = graceDays;
  }

  async run(call: Call): Promise<void> {
    const now = today(this.#clock);
    const since = await this.#since(call, now);
    const lastDay = addDays(now, -1 - this.#graceDays);
    const days = (await this.#dueDays(call, since, lastDay)).map((day) => ({ name: day, period: dayPeriod(day) }));
    const months = await this.#dueMonths(call, since, lastDay);
    // a month follows its last day, so that each day is billed before days of the next month
    const due = [...days, ...months.map((month) => ({ name: month, period: monthPeriod(month) }))]
      .sort((a, b) => a.period.to < b.period.to ? -1 : a.period.to > b.period.to ? 1 : 0);
    for (const { name, period } of due) await this.#close(call, name, period);
  }

  /** Returns the day of the first run: what came before is not billed without being asked. */
  async #since(call: Call, now: string): Promise<string> {
    const { charges } = this.#stores;
    const { automaticSince } = await charges.scope.one(call, {});
    if (automaticSince !== "") return automaticSince;
    await call.transact((inner) => charges.setAutomaticSince.run(inner, { day: now }));
    return now;
  }

  async #dueDays(call: Call, since: string, lastDay: string): Promise<string[]> {
    const last = (await this.#stores.bills.lastRun.first(call, { length: DAY_LENGTH }))?.period;
    const missed = addDays(lastDay, 1 - MAX_MISSED_DAYS);
    const next = last ? addDays(last, 1) : since;
    const days: string[] = [];
    for (let day = next > missed ? next : missed; day <= lastDay; day = addDays(day, 1)) days.push(day);
    return days;
  }

  async #dueMonths(call: Call, since: string, lastDay: string): Promise<string[]> {
    const last = (await this.#stores.bills.lastRun.first(call, { length: MONTH_LENGTH }))?.period;
    const first = last ? addMonths(monthPeriod(last).from, 1) : `${since.slice(0, 8)}01`;
    const months: string[] = [];
    for (let day = first; addDays(addMonths(day, 1), -1) <= lastDay; day = addMonths(day, 1)) months.push(monthOf(day));
    return months;
  }

  async #close(call: Call, name: string, period: BillingPeriod): Promise<void> {
    await this.#generator.generate(call, period);
    const run = { period: name, finishedAt: unixSeconds(this.#clock) };
    await call.transact((inner) => this.#stores.bills.endRun.run(inner, run));
  }
}
