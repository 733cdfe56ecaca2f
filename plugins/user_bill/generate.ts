import { type Call, type Clock, unixSeconds } from "edgehelm";
import { amountText, compactDay } from "edgehelm/fields";
import type { ServerDailyStats } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms } from "../user/contract.ts";
import { type Charge, Charges, readRegionPrices } from "./charges.ts";
import { roundCost } from "./cost.ts";
import { errors } from "./errors.ts";
import type { BillingDeps } from "./billing_deps.ts";
import { type BillingPeriod, openRanges, type Range } from "./periods.ts";
import type { BillRun, NewUserBill, UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** The number of users per transaction, small enough not to delay other writes. */
const BATCH_SIZE = 100;

/** A range of days to bill a user for. */
interface DueRange {
  readonly userId: bigint;
  readonly range: Range;
  /** True if an earlier run created this bill. */
  readonly isBilled: boolean;
}

/**
 * Generates bills in batches of users. It can be interrupted and repeated: an existing bill is changed only if the
 * amount has changed and the bill is unpaid.
 *
 * No day is on two bills: a monthly bill omits days with a daily bill, and a daily bill is not created for days of a
 * monthly bill.
 */
export class BillGenerator {
  readonly #bills: UserBillStore;
  readonly #deps: BillingDeps;
  readonly #tariff: Tariff;
  readonly #clock: Clock;

  constructor(bills: UserBillStore, deps: BillingDeps, tariff: Tariff, clock: Clock) {
    this.#bills = bills;
    this.#deps = deps;
    this.#tariff = tariff;
    this.#clock = clock;
  }

  async generate(call: Call, period: BillingPeriod): Promise<void> {
    const { stats } = this.#deps;
    if (stats === undefined) throw errors.no_statistics();
    const charges = new Charges(stats, this.#deps, this.#tariff, await readRegionPrices(call, this.#deps));
    for (let after = 0n;;) {
      const userIds = await this.#usersAfter(call, stats, after, period);
      if (userIds.length === 0) return;
      const bills = await this.#drafts(call, charges, userIds, period);
      await call.transact((inner) => this.#bills.put(inner, this.#run(period), bills));
      after = userIds.at(-1)!;
    }
  }

  /** Returns the next users with traffic or with a bill that may be out of date. */
  async #usersAfter(call: Call, stats: ServerDailyStats, after: bigint, period: BillingPeriod): Promise<bigint[]> {
    const limit = BATCH_SIZE;
    const active = await stats.usersWithTraffic(call, compactDay(period.from), compactDay(period.to), after, limit);
    const billed = await this.#bills.billedUsers.all(call, { ...period, after, limit });
    const userIds = new Set([...active, ...billed.map(({ userId }) => userId)]);
    return [...userIds].sort((a, b) => a < b ? -1 : 1).slice(0, limit);
  }

  async #drafts(call: Call, charges: Charges, userIds: bigint[], period: BillingPeriod): Promise<NewUserBill[]> {
    const terms = await this.#deps.users.priceTerms(call, userIds);
    const due = await this.#due(call, terms, userIds, period);
    const drafts: NewUserBill[] = [];
    for (const group of Map.groupBy(due, ({ range }) => `${range.from} ${range.to}`).values()) {
      const { range } = group[0]!;
      const chargeOf = await charges.of(call, terms, group.map(({ userId }) => userId), range);
      for (const { userId, isBilled } of group) {
        const charge = chargeOf.get(userId);
        if (charge !== undefined || isBilled) drafts.push(draft(userId, range, charge ?? NO_CHARGE));
      }
    }
    return drafts;
  }

  /** Returns the ranges to bill each user for in this run; none for deleted users. */
  async #due(
    call: Call,
    terms: ReadonlyMap<bigint, UserPriceTerms>,
    userIds: bigint[],
    { pricePeriod, month, ...days }: BillingPeriod,
  ): Promise<DueRange[]> {
    const bills = await this.#bills.coverage.all(call, { userIds, month });
    const billsOf = Map.groupBy(bills, ({ userId }) => userId);
    return [...terms].flatMap(([userId, userTerms]) => {
      const [existing, others] = partition(billsOf.get(userId) ?? [], (bill) => bill.pricePeriod === pricePeriod);
      const isBilled = ({ from }: Range) => existing.some(({ dayFrom }) => dayFrom === from);
      const isDaily = (userTerms.pricePeriod || this.#tariff.pricePeriod) === "daily";
      if (pricePeriod === "daily" && !isDaily && !isBilled(days)) return [];
      const open = openRanges(days, others.map(({ dayFrom, dayTo }) => ({ from: dayFrom, to: dayTo })));
      return open.map((range) => ({ userId, range, isBilled: isBilled(range) }));
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

const NO_CHARGE: Charge = { cost: 0n, bytes: 0n, servers: 0 };

/** Returns a description such as `12.34 GB of 2 sites`. */
function describe({ bytes, servers }: Charge): string {
  const hundredths = bytes * 100n / 2n ** 30n;
  return `${amountText(hundredths)} GB of ${servers} ${servers === 1 ? "site" : "sites"}`;
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
