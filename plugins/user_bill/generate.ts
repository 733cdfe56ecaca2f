import { type Call, type Clock, unixSeconds } from "edgehelm";
import { compactDay, dayAt, timeOfDayAt } from "edgehelm/fields";
import { nextTurn } from "edgehelm/runtime";
import type { ServerDailyStats } from "../server_daily_stat/contract.ts";
import type { BillingDeps } from "./billing_deps.ts";
import type { BillProgress, ChargeStore } from "./store_charges.ts";
import { Charges, readRegionPricing } from "./charges.ts";
import { type Draft, Drafter, type FreeRange } from "./drafts.ts";
import { errors } from "./errors.ts";
import { billMade } from "./events.ts";
import { lateDaysJSON } from "./late_traffic.ts";
import type { BillLines, Line } from "./lines.ts";
import type { BillingPeriod } from "./periods.ts";
import { PriceBook } from "./price_book.ts";
import type { BillRun, UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** The number of users per transaction, small enough not to delay other writes. */
const BATCH_SIZE = 250;
/** The number of times that a batch is calculated, because another run may charge its users meanwhile. */
const MAX_ATTEMPTS = 100;

/** A run that was interrupted no longer ago is continued; a later one begins again, to find what changed meanwhile. */
const RESUME_SECONDS = 600n;

/** Stands for the bill of a charge that is on none. */
const NO_BILL = 0n;

/** The stores of bills and of what they charged. */
export interface BillStores {
  readonly bills: UserBillStore;
  readonly charges: ChargeStore;
}

/**
 * Generates bills in batches of users. It can be interrupted: soon after, a run goes on where it ended. It can be
 * repeated: an existing bill is changed only if the amount has changed and the bill is unpaid.
 *
 * No day is on two bills: a monthly bill omits days with a daily bill, and a daily bill is not created for days of a
 * monthly bill. Traffic that arrived after the bill of its day is a correction on the next bill of the user.
 */
export class BillGenerator {
  readonly #stores: BillStores;
  readonly #deps: BillingDeps;
  readonly #tariff: Tariff;
  readonly #clock: Clock;

  constructor(stores: BillStores, deps: BillingDeps, tariff: Tariff, clock: Clock) {
    this.#stores = stores;
    this.#deps = deps;
    this.#tariff = tariff;
    this.#clock = clock;
  }

  async generate(call: Call, period: BillingPeriod): Promise<void> {
    const { stats } = this.#deps;
    if (stats === undefined) throw errors.no_statistics();
    const { charges: store } = this.#stores;
    const { progress } = store;
    // before any traffic is read: what arrives from now on is late
    await call.transact((inner) => store.widenScope.run(inner, { from: period.from, to: period.to }));
    const { billedFrom } = await store.scope.one(call, {});
    const charges = new Charges(stats, this.#deps, this.#tariff, await readRegionPricing(call, this.#deps));
    const book = new PriceBook(store);
    const drafter = new Drafter(
      store,
      { bills: this.#stores.bills, users: this.#deps.users, stats, charges, book },
      this.#tariff,
      billedFrom,
    );
    const key = `${period.pricePeriod} ${period.from}`;
    const started = await progress.first(call, { key, since: unixSeconds(this.#clock) - RESUME_SECONDS });
    for (let after = started?.after ?? 0n;;) {
      const userIds = await this.#usersAfter(call, stats, after, period);
      if (userIds.length === 0) break;
      after = userIds.at(-1)!;
      await this.#bill(call, drafter, book, userIds, period, { key, after, at: unixSeconds(this.#clock) });
      await nextTurn();
    }
    await call.transact((inner) => store.endProgress.run(inner, { key }));
  }

  /** Returns the next users with traffic, with a bill that may be out of date, or with late traffic. */
  async #usersAfter(call: Call, stats: ServerDailyStats, after: bigint, period: BillingPeriod): Promise<bigint[]> {
    const { bills, charges } = this.#stores;
    const limit = BATCH_SIZE;
    const active = await stats.usersWithTraffic(call, compactDay(period.from), compactDay(period.to), after, limit);
    const billed = await bills.billedUsers.all(call, { ...period, after, limit });
    const late = await charges.usersWithLateDays.all(call, { after, before: period.from, limit });
    const userIds = new Set([...active, ...[...billed, ...late].map(({ userId }) => userId)]);
    return [...userIds].sort((a, b) => a < b ? -1 : 1).slice(0, limit);
  }

  async #bill(
    call: Call,
    drafter: Drafter,
    book: PriceBook,
    userIds: bigint[],
    period: BillingPeriod,
    progress: BillProgress,
  ): Promise<void> {
    for (let attempt = 1;; attempt++) {
      const { seen, drafts, settled, free } = await drafter.draft(call, userIds, period);
      await nextTurn();
      const isStored = await call.transact(async (inner) => {
        if (seen !== await drafter.seen(inner, userIds, period)) return false;
        await this.#store(inner, book, period, drafts);
        await this.#keepFree(inner, book, free);
        if (settled.length > 0) await this.#stores.charges.removeLateDays.run(inner, { days: lateDaysJSON(settled) });
        await this.#stores.charges.setProgress.run(inner, progress);
        return true;
      });
      if (isStored) return;
      if (attempt === MAX_ATTEMPTS) throw errors.busy();
    }
  }

  /** Stores the bills of drafts, except those that were paid meanwhile, with what they charge. */
  async #store(call: Call, book: PriceBook, period: BillingPeriod, drafts: readonly Draft[]): Promise<void> {
    const { bills, charges } = this.#stores;
    if (drafts.length === 0) return;
    const stored = await bills.put(call, this.#run(period), drafts);
    const idOf = new Map(stored.map(({ id, userId, dayFrom }) => [`${userId} ${dayFrom}`, id]));
    const changed = drafts.flatMap((draft) => {
      const billId = idOf.get(`${draft.userId} ${draft.dayFrom}`);
      return billId === undefined ? [] : [{ draft, billId }];
    });
    const terms = changed.flatMap(({ draft: { lines } }) => linesOf(lines).map((line) => line.terms));
    await book.enter(call, terms.filter((one) => typeof one !== "string"));
    const again = changed.filter(({ draft }) => draft.isBilled);
    if (again.length > 0) await charges.removeOwn.run(call, { billIds: again.map(({ billId }) => billId) });
    await charges.put(
      call,
      changed.flatMap(({ draft: { userId, lines }, billId }) =>
        linesOf(lines).map(({ range: { from, to }, amount, terms }, index) => ({
          ...{ userId, billId, amount, dayFrom: from, dayTo: to },
          pricePeriod: index === 0 ? period.pricePeriod : "" as const,
          terms: typeof terms === "string" ? terms : book.textOf(terms),
        }))
      ),
    );
    const settled = changed.flatMap(({ draft }) => draft.lateDays);
    if (settled.length > 0) await charges.removeLateDays.run(call, { days: lateDaysJSON(settled) });
    const remaining = changed.flatMap(({ draft }) => draft.remaining);
    if (remaining.length > 0) await charges.addLateDays.run(call, { days: lateDaysJSON(remaining) });
    await this.#emitMade(call, changed);
    // a bill that is new is not overdue
    if (again.length > 0) await this.#deps.states.derive(call, again.map(({ draft }) => draft.userId));
  }

  /** Emits the events of bills that are new and have an amount. */
  async #emitMade(call: Call, changed: readonly { readonly draft: Draft; readonly billId: bigint }[]): Promise<void> {
    const overdueAt = unixSeconds(this.#clock) + this.#tariff.overdueSeconds;
    for (const { draft: { isBilled, amount, userId, dayFrom, dayTo }, billId } of changed) {
      if (isBilled || amount === 0n) continue;
      await this.#deps.events.emit(call, billMade, { userBillId: billId, dayFrom, dayTo, amount, overdueAt }, userId);
    }
  }

  /** Keeps the terms of traffic that cost nothing, so that it costs nothing at later prices either. */
  async #keepFree(call: Call, book: PriceBook, free: readonly FreeRange[]): Promise<void> {
    if (free.length === 0) return;
    await book.enter(call, free.map(({ terms }) => terms));
    await this.#stores.charges.put(
      call,
      free.map(({ userId, range: { from, to }, terms }) => ({
        ...{ userId, dayFrom: from, dayTo: to, billId: NO_BILL, amount: 0n },
        pricePeriod: "" as const,
        terms: book.textOf(terms),
      })),
    );
  }

  #run({ pricePeriod, month }: BillingPeriod): BillRun {
    const now = unixSeconds(this.#clock);
    const stamp = `${dayAt(this.#clock, now)}${timeOfDayAt(this.#clock, now)}`.replace(/\D/g, "");
    return { pricePeriod, month, now, stamp };
  }
}

/** Returns the lines of a bill, beginning with that of its own days. */
function linesOf({ own, corrections }: BillLines): readonly Line[] {
  return [own, ...corrections];
}
