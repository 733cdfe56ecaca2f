import { amountText, type Call, type Clock, compactDay, unixSeconds } from "edgehelm";
import type { ServerDailyStats } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms } from "../user/contract.ts";
import { type Charge, Charges, readRegionPrices } from "./charges.ts";
import { roundCost } from "./cost.ts";
import { errors } from "./errors.ts";
import type { Neighbours } from "./neighbours.ts";
import { type BillingPeriod, openRanges, type Range } from "./periods.ts";
import type { BillRun, NewUserBill, UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** How many users share a transaction: few enough to hold nobody up. */
const USERS_AT_ONCE = 100;

/** Some days that a user is to be billed for. */
interface Due {
  readonly userId: bigint;
  readonly range: Range;
  /** Whether an earlier run made this bill. */
  readonly isMade: boolean;
}

/**
 * Makes bills, some users at a time. It can stop anywhere: making a bill again finds it, and changes it only when what
 * is owed has changed and it was not paid.
 *
 * No day is on two bills: a month leaves out what was billed by the day, and a day what is on a bill of its month.
 */
export class BillGenerator {
  readonly #bills: UserBillStore;
  readonly #neighbours: Neighbours;
  readonly #tariff: Tariff;
  readonly #clock: Clock;

  constructor(bills: UserBillStore, neighbours: Neighbours, tariff: Tariff, clock: Clock) {
    this.#bills = bills;
    this.#neighbours = neighbours;
    this.#tariff = tariff;
    this.#clock = clock;
  }

  async generate(call: Call, period: BillingPeriod): Promise<void> {
    const { stats } = this.#neighbours;
    if (stats === undefined) throw errors.no_statistics();
    const charges = new Charges(stats, this.#neighbours, this.#tariff, await readRegionPrices(call, this.#neighbours));
    for (let after = 0n;;) {
      const userIds = await this.#usersAfter(call, stats, after, period);
      if (userIds.length === 0) return;
      const bills = await this.#drafts(call, charges, userIds, period);
      await call.transact((inner) => this.#bills.put(inner, this.#run(period), bills));
      after = userIds.at(-1)!;
    }
  }

  /** The next users who sent something, or have a bill that may be out of date. */
  async #usersAfter(call: Call, stats: ServerDailyStats, after: bigint, period: BillingPeriod): Promise<bigint[]> {
    const limit = USERS_AT_ONCE;
    const active = await stats.usersWithTraffic(call, compactDay(period.from), compactDay(period.to), after, limit);
    const billed = await this.#bills.billedUsers.all(call, { ...period, after, limit });
    const all = new Set([...active, ...billed.map(({ userId }) => userId)]);
    return [...all].sort((a, b) => a < b ? -1 : 1).slice(0, limit);
  }

  async #drafts(call: Call, charges: Charges, userIds: bigint[], period: BillingPeriod): Promise<NewUserBill[]> {
    const terms = await this.#neighbours.users.priceTerms(call, userIds);
    const due = await this.#due(call, terms, userIds, period);
    const drafts: NewUserBill[] = [];
    for (const group of Map.groupBy(due, ({ range }) => `${range.from} ${range.to}`).values()) {
      const { range } = group[0]!;
      const owed = await charges.of(call, terms, group.map(({ userId }) => userId), range);
      for (const { userId, isMade } of group) {
        const charge = owed.get(userId);
        if (charge !== undefined || isMade) drafts.push(draft(userId, range, charge ?? NOTHING));
      }
    }
    return drafts;
  }

  /** The days that each user is billed for in this run; nothing for users who have been deleted. */
  async #due(
    call: Call,
    terms: ReadonlyMap<bigint, UserPriceTerms>,
    userIds: bigint[],
    { pricePeriod, month, ...days }: BillingPeriod,
  ): Promise<Due[]> {
    const bills = await this.#bills.coverage.all(call, { userIds, month });
    const billsOf = Map.groupBy(bills, ({ userId }) => userId);
    return [...terms].flatMap(([userId, own]) => {
      const [made, others] = partition(billsOf.get(userId) ?? [], (bill) => bill.pricePeriod === pricePeriod);
      const isMade = ({ from }: Range) => made.some(({ dayFrom }) => dayFrom === from);
      const isDaily = (own.pricePeriod || this.#tariff.pricePeriod) === "daily";
      if (pricePeriod === "daily" && !isDaily && !isMade(days)) return [];
      const open = openRanges(days, others.map(({ dayFrom, dayTo }) => ({ from: dayFrom, to: dayTo })));
      return open.map((range) => ({ userId, range, isMade: isMade(range) }));
    });
  }

  #run({ pricePeriod, month }: BillingPeriod): BillRun {
    const stamp = new Date(this.#clock.now()).toISOString().slice(0, 19).replace(/\D/g, "");
    return { pricePeriod, month, now: unixSeconds(this.#clock), stamp };
  }
}

function draft(userId: bigint, { from, to }: Range, charge: Charge): NewUserBill {
  return { userId, dayFrom: from, dayTo: to, description: describe(charge), amount: roundCost(charge.cost) };
}

const NOTHING: Charge = { cost: 0n, bytes: 0n, servers: 0 };

/** `12.34 GB of 2 sites`. */
function describe({ bytes, servers }: Charge): string {
  const hundredths = bytes * 100n / 2n ** 30n;
  return `${amountText(hundredths)} GB of ${servers} ${servers === 1 ? "site" : "sites"}`;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
