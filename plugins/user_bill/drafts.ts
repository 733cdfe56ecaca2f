import { type Call, distinct } from "edgehelm";
import { compactDay } from "edgehelm/fields";
import type { ServerDailyStats, UserDay } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms, Users } from "../user/contract.ts";
import type { ChargeRow, ChargeStore, LateDay } from "./store_charges.ts";
import type { Asked, Charge, Charges } from "./charges.ts";
import { roundCost } from "./cost.ts";
import { type DueRange, dueRanges, type LateRange, lateRanges, rangeKey, rangeOf } from "./due.ts";
import { type BillLines, describe, sumByRange, totalOf, withoutDebt } from "./lines.ts";
import type { BillingPeriod, Range } from "./periods.ts";
import type { PriceBook } from "./price_book.ts";
import type { Terms } from "./pricing.ts";
import type { NewUserBill, UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** A bill to make or change, with what it charges for which days. */
export interface Draft extends NewUserBill {
  /** True if an earlier run made the bill. */
  readonly isBilled: boolean;
  readonly lines: BillLines;
  /** The late days that the bill settles. */
  readonly lateDays: readonly LateDay[];
  /** Days of ranges of which a credit remains, for a later bill. */
  readonly remaining: readonly UserDay[];
}

export interface DrafterDeps {
  readonly bills: UserBillStore;
  readonly charges: Charges;
  readonly book: PriceBook;
  readonly users: Users;
  readonly stats: ServerDailyStats;
}

/** The ranges that are due and late of a user. */
interface Work {
  readonly userId: bigint;
  readonly due: readonly (DueRange & { readonly asked: Asked })[];
  readonly late: readonly (LateRange & { readonly asked: Asked })[];
  readonly charged: readonly ChargeRow[];
  readonly lateDays: readonly LateDay[];
}

/** The drafts of a batch of users. */
export interface Drafts {
  /** The amounts that had been charged before, to be compared in the transaction that stores the drafts. */
  readonly seen: string;
  readonly drafts: readonly Draft[];
  /** Late days that change no amount. */
  readonly settled: readonly LateDay[];
  /** Ranges whose late traffic costs nothing, with the terms that now apply to it. */
  readonly free: readonly FreeRange[];
}

export interface FreeRange {
  readonly userId: bigint;
  readonly range: Range;
  readonly terms: Terms;
}

/** Drafts the bills of a period. */
export class Drafter {
  readonly #store: ChargeStore;
  readonly #deps: DrafterDeps;
  readonly #tariff: Tariff;
  readonly #billedFrom: string;

  /** @param billedFrom the first day for which bills were ever made */
  constructor(store: ChargeStore, deps: DrafterDeps, tariff: Tariff, billedFrom: string) {
    this.#store = store;
    this.#deps = deps;
    this.#tariff = tariff;
    this.#billedFrom = billedFrom;
  }

  /** Returns what was charged to users, as a text that changes with it. */
  async seen(call: Call, userIds: bigint[], period: BillingPeriod): Promise<string> {
    return textOf(await this.#charged(call, userIds, period));
  }

  async draft(call: Call, userIds: bigint[], period: BillingPeriod): Promise<Drafts> {
    const { users, charges } = this.#deps;
    const rows = await this.#charged(call, userIds, period);
    const terms = await users.priceTerms(call, userIds);
    const lateDays = await this.#store.lateDays.all(call, { userIds, to: period.to });
    const work = await this.#work(call, terms, rows, lateDays, period);
    const asked = work.flatMap(({ due, late }) => [...due, ...late].map((one) => one.asked));
    const chargeOf = await charges.of(call, terms, asked);
    const open = await this.#changeable(call, work);
    const settled: LateDay[] = [];
    const free: FreeRange[] = [];
    const drafts = work.flatMap((one) => this.#drafts(one, chargeOf, open, settled, free));
    return { seen: textOf(rows), drafts, settled, free };
  }

  #charged(call: Call, userIds: bigint[], { from }: BillingPeriod): Promise<ChargeRow[]> {
    return this.#store.ofMonths.all(call, { userIds, month: from.slice(0, 7), before: from });
  }

  /** Returns what is due and late of each user; deleted users have nothing. */
  async #work(
    call: Call,
    terms: ReadonlyMap<bigint, UserPriceTerms>,
    rows: readonly ChargeRow[],
    lateDays: readonly LateDay[],
    period: BillingPeriod,
  ): Promise<Work[]> {
    const chargedTo = Map.groupBy(rows, ({ userId }) => userId);
    const lateOf = Map.groupBy(lateDays, ({ userId }) => userId);
    const work: Work[] = [];
    for (const [userId, { pricePeriod }] of terms) {
      const charged = chargedTo.get(userId) ?? [];
      const own = lateOf.get(userId) ?? [];
      const due = dueRanges(period, pricePeriod || this.#tariff.pricePeriod, charged)
        .map((one) => ({ ...one, asked: { userId, range: one.range, terms: undefined } }));
      const late = [];
      for (const one of due.length === 0 ? [] : lateRanges(period, charged, own)) {
        const earlier = await this.#termsOf(call, one.charged);
        late.push({ ...one, asked: { userId, range: one.range, terms: earlier } });
      }
      work.push({ userId, due, late, charged, lateDays: own });
    }
    return work;
  }

  /** Returns the terms of the first charge for a range, and of servers that were charged later. */
  async #termsOf(call: Call, charged: readonly ChargeRow[]): Promise<Terms | undefined> {
    if (charged.length === 0) return undefined;
    const first = charged.toSorted((a, b) => a.billId < b.billId ? -1 : 1);
    return await this.#deps.book.termsOf(call, first.map(({ terms }) => terms));
  }

  /** Returns the existing bills that may be changed, with the corrections that are on them. */
  async #changeable(call: Call, work: readonly Work[]): Promise<ReadonlyMap<bigint, readonly ChargeRow[]>> {
    const ids = distinct(work.flatMap(({ due }) => due.flatMap(({ billId }) => billId ?? [])));
    if (ids.length === 0) return new Map();
    const changeable = await this.#deps.bills.changeable.all(call, { ids });
    const lines = await this.#store.ofBills.all(call, { ids: changeable.map(({ id }) => id) });
    const linesOf = Map.groupBy(lines.filter(({ pricePeriod }) => pricePeriod === ""), ({ billId }) => billId);
    return new Map(changeable.map(({ id }) => [id, linesOf.get(id) ?? []]));
  }

  #drafts(
    { userId, due, late, charged, lateDays }: Work,
    chargeOf: ReadonlyMap<Asked, Charge>,
    open: ReadonlyMap<bigint, readonly ChargeRow[]>,
    settled: LateDay[],
    free: FreeRange[],
  ): Draft[] {
    const owed = late.flatMap((one) => {
      const charge = chargeOf.get(one.asked)!;
      const isAnybodys = one.charged.length > 0 || one.range.to >= this.#billedFrom;
      const isCharged = isAnybodys && this.#isMeasured(charge, one.range);
      const amount = isCharged ? roundCost(charge.cost) - sum(one.charged) : 0n;
      if (amount === 0n) settled.push(...one.lateDays);
      if (amount === 0n && isCharged) free.push({ userId, range: one.range, terms: charge.terms });
      return amount === 0n ? [] : [{ ...one, line: { range: one.range, amount, terms: charge.terms } }];
    });
    const drafts: Draft[] = [];
    let corrections = owed;
    for (const { range, billId, asked } of due) {
      if (billId !== undefined && !open.has(billId)) continue;
      const charge = chargeOf.get(asked)!;
      const elsewhere = charged.filter((row) => row.billId !== billId && rangeKey(rangeOf(row)) === rangeKey(range));
      const own = { range, amount: roundCost(charge.cost) - sum(elsewhere), terms: charge.terms };
      const earlier = open.get(billId ?? 0n)?.map((row) => ({ ...row, range: rangeOf(row) })) ?? [];
      const added = corrections;
      const { lines, remaining } = withoutDebt({
        own,
        corrections: sumByRange([...earlier, ...added.map(({ line }) => line)]),
      });
      const isEmpty = charge.servers === 0 && lines.corrections.length === 0;
      if (billId === undefined && isEmpty) continue;
      corrections = [];
      drafts.push({
        userId,
        dayFrom: range.from,
        dayTo: range.to,
        description: describe(lines, charge),
        amount: totalOf(lines),
        isBilled: billId !== undefined,
        lines,
        lateDays: [
          ...lateDays.filter(({ day }) => day >= range.from && day <= range.to),
          ...added.flatMap((one) => one.lateDays),
        ],
        remaining: remaining.map(({ from: day }) => ({ userId, day })),
      });
    }
    return drafts;
  }

  /** Returns false if samples of bandwidth that the charge depends on were deleted. */
  #isMeasured({ terms }: Charge, { from }: Range): boolean {
    if (compactDay(from) >= this.#deps.stats.samplesFrom()) return true;
    return [terms.standard, ...terms.ofServers.values()].every(({ priceType }) => priceType !== "bandwidth");
  }
}

function sum(rows: readonly { readonly amount: bigint }[]): bigint {
  return rows.reduce((total, { amount }) => total + amount, 0n);
}

function textOf(rows: readonly ChargeRow[]): string {
  return rows.map(({ userId, dayFrom, dayTo, billId, amount }) => `${userId} ${dayFrom} ${dayTo} ${billId} ${amount}`)
    .join("\n");
}
