import type { Facts, Prices, Served } from "./facts.ts";
import { costOf, rounded } from "./model_cost.ts";
import { lastDayOfMonth, ModelDays, nextDay } from "./model_days.ts";

/** The days for which traffic may still arrive, with some to spare. */
const MEMORY_DAYS = 120;
/** The days for which samples of bandwidth are kept. */
const SAMPLE_DAYS = 100;

interface Range {
  readonly from: string;
  readonly to: string;
}

interface Line extends Range {
  amount: bigint;
}

export interface ModelBill extends Range {
  readonly userId: bigint;
  readonly pricePeriod: "daily" | "monthly";
  readonly own: Line;
  readonly corrections: Line[];
  readonly bytes: bigint;
  readonly servers: number;
}

/** The prices that were agreed when a range was charged first. */
interface Agreement {
  readonly standard: Prices;
  readonly ofServers: Map<bigint, Prices>;
}

/** Calculates what bills must contain, from all traffic at every run, without regard to speed. */
export class BillModel {
  readonly #facts: Facts;
  readonly #days: ModelDays;
  readonly #served = new Map<bigint, Served[]>();
  readonly #agreements = new Map<string, Agreement>();
  readonly bills: ModelBill[] = [];
  readonly #lines = new Map<bigint, Line[]>();
  /** Amounts by user and range, until traffic arrives for it. */
  readonly #known = new Map<string, { userId: bigint; start: number; end: number; amount: bigint }>();
  #today = "";
  #nextDay: string;
  #nextMonth: string;
  readonly #firstMonth: string;

  constructor(facts: Facts, startsAt: number) {
    this.#facts = facts;
    this.#days = new ModelDays(facts.timeZone);
    this.#nextDay = this.#days.dayOf(startsAt);
    this.#nextMonth = `${this.#nextDay.slice(0, 8)}01`;
    this.#firstMonth = this.#nextMonth;
  }

  add(served: Served): void {
    const own = this.#served.get(served.userId) ?? [];
    this.#served.set(served.userId, own);
    own.push(served);
    for (const [key, { userId, start, end }] of this.#known) {
      if (userId === served.userId && served.at >= start && served.at < end) this.#known.delete(key);
    }
  }

  /** Makes the bills that are due at a time. */
  run(now: number): void {
    this.#today = this.#days.dayOf(now);
    const last = nextDay(this.#today, -1 - this.#facts.graceDays);
    if (this.#nextDay < nextDay(last, -30)) this.#nextDay = nextDay(last, -30);
    // a day before its month, and a month before later days
    while (this.#nextDay <= last || lastDayOfMonth(this.#nextMonth) <= last) {
      const monthEnd = lastDayOfMonth(this.#nextMonth);
      if (this.#nextDay <= monthEnd && this.#nextDay <= last) {
        this.#bill("daily", this.#nextDay, this.#nextDay);
        this.#nextDay = nextDay(this.#nextDay);
      } else {
        this.#bill("monthly", this.#nextMonth, monthEnd);
        this.#nextMonth = nextDay(monthEnd);
      }
    }
  }

  #bill(pricePeriod: "daily" | "monthly", from: string, to: string): void {
    const users = [...this.#facts.users].sort(([a], [b]) => a < b ? -1 : 1);
    for (const [userId, terms] of users) {
      if (pricePeriod === "daily" && terms.pricePeriod !== "daily") continue;
      const ranges = this.#uncovered(userId, from, to);
      let late = ranges.length === 0 ? [] : this.#late(userId, from);
      for (const range of ranges) {
        const served = this.#servedIn(userId, range);
        if (served.length === 0 && late.length === 0) continue;
        const own = { ...range, amount: this.#owed(userId, range) };
        const bill = this.#capped({
          ...range,
          userId,
          pricePeriod,
          own,
          corrections: late,
          bytes: served.reduce((sum, { bytes }) => sum + bytes, 0n),
          servers: new Set(served.map(({ serverId }) => serverId)).size,
        });
        if (served.length === 0 && bill.corrections.length === 0) continue;
        this.bills.push(bill);
        for (const line of [own, ...bill.corrections]) this.#charge(userId, line);
        late = [];
      }
    }
  }

  #charge(userId: bigint, line: Line): void {
    this.#charged(userId).push(line);
    this.#agreements.set(`${userId} ${line.from} ${line.to}`, this.#agreementOn(userId, line));
  }

  /** A bill is never negative: the last credits wait for a later bill. */
  #capped(bill: ModelBill): ModelBill {
    let missing = -amountOf(bill);
    // copies, since a bill that is not made leaves its corrections to the next one
    const corrections = bill.corrections.map((line) => ({ ...line }));
    for (const line of corrections.toReversed()) {
      if (missing <= 0n || line.amount >= 0n) continue;
      const back = missing < -line.amount ? missing : -line.amount;
      line.amount += back;
      missing -= back;
    }
    return { ...bill, corrections: corrections.filter(({ amount }) => amount !== 0n) };
  }

  /** Returns the differences of earlier ranges between what is owed now and what was charged. */
  #late(userId: bigint, before: string): Line[] {
    const paid = new Map<string, Line>();
    for (const { from, to, amount } of this.#charged(userId)) {
      if (to >= before) continue;
      paid.set(`${from} ${to}`, { from, to, amount: amount + (paid.get(`${from} ${to}`)?.amount ?? 0n) });
    }
    const oldest = `${nextDay(before, -MEMORY_DAYS).slice(0, 8)}01`;
    for (let month = oldest; month < `${before.slice(0, 8)}01`; month = nextDay(lastDayOfMonth(month))) {
      if (month < this.#firstMonth) continue;
      for (const range of this.#uncovered(userId, month, lastDayOfMonth(month))) {
        if (this.#servedIn(userId, range).length > 0) paid.set(`${range.from} ${range.to}`, { ...range, amount: 0n });
      }
    }
    return [...paid.values()].sort((a, b) => a.from < b.from ? -1 : 1).flatMap(({ from, to, amount }) => {
      if (this.#isForgotten(userId, { from, to })) return [];
      const isUnchanged = this.#known.has(`${userId} ${from} ${to}`);
      const missing = this.#owed(userId, { from, to }) - amount;
      if (missing !== 0n) return [{ from, to, amount: missing }];
      // what was free once stays free
      if (!isUnchanged) this.#charge(userId, { from, to, amount: 0n });
      return [];
    });
  }

  /** Bandwidth cannot be measured again after its samples were deleted. */
  #isForgotten(userId: bigint, { from, to }: Range): boolean {
    if (from >= nextDay(this.#today, -SAMPLE_DAYS)) return false;
    const { standard, ofServers } = this.#agreementOn(userId, { from, to });
    return [standard, ...ofServers.values()].some(({ kind }) => kind === "bandwidth");
  }

  #charged(userId: bigint): Line[] {
    const lines = this.#lines.get(userId) ?? [];
    this.#lines.set(userId, lines);
    return lines;
  }

  /** Returns the parts of a range of which no day was charged. */
  #uncovered(userId: bigint, from: string, to: string): Range[] {
    const charged = this.#charged(userId).filter((line) => line.to >= from && line.from <= to);
    const parts: { from: string; to: string }[] = [];
    for (let day = from; day <= to; day = nextDay(day)) {
      if (charged.some((line) => line.from <= day && day <= line.to)) continue;
      const open = parts.at(-1);
      if (open !== undefined && nextDay(open.to) === day) open.to = day;
      else parts.push({ from: day, to: day });
    }
    return parts;
  }

  #servedIn(userId: bigint, { from, to }: Range): Served[] {
    const [start, end] = [this.#days.startOf(from), this.#days.startOf(nextDay(to))];
    return (this.#served.get(userId) ?? []).filter(({ at }) => at >= start && at < end);
  }

  /** Returns what is owed for a range at the prices that were agreed when it was charged first. */
  #owed(userId: bigint, range: Range): bigint {
    const key = `${userId} ${range.from} ${range.to}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.amount;
    const served = this.#servedIn(userId, range);
    const { ofServers } = this.#agreementOn(userId, range);
    const [start, end] = [this.#days.startOf(range.from), this.#days.startOf(nextDay(range.to))];
    const amount = rounded(costOf(served, (serverId) => ofServers.get(serverId)!, (end - start) / 300));
    if (this.#agreements.has(key)) this.#known.set(key, { userId, start, end, amount });
    return amount;
  }

  /** Returns what was agreed about a range, and what is agreed now about servers that had no traffic in it before. */
  #agreementOn(userId: bigint, range: Range): Agreement {
    const agreed = this.#agreements.get(`${userId} ${range.from} ${range.to}`);
    const standard = agreed?.standard ?? this.#standard(userId);
    const ofServers = new Map(agreed?.ofServers);
    for (const { serverId } of this.#servedIn(userId, range)) {
      if (ofServers.has(serverId)) continue;
      const plan = this.#facts.plans.get(serverId);
      ofServers.set(serverId, plan !== undefined && plan.dayTo >= range.from ? plan.prices : standard);
    }
    return { standard, ofServers };
  }

  #standard(userId: bigint): Prices {
    const { users, perMB, perGB, percentile, tiers, perGigabit } = this.#facts;
    if (users.get(userId)!.priceType === "bandwidth") {
      return { kind: "bandwidth", percentile, steps: [{ min: 0n, max: 0n, pricePerMB: perMB, totalPrice: 0n }] };
    }
    if (perGB > 0n) return { kind: "traffic", perGB };
    return { kind: "regions", tiers: [...tiers], perGigabit: new Map(perGigabit) };
  }
}

export function amountOf({ own, corrections }: ModelBill): bigint {
  return corrections.reduce((sum, { amount }) => sum + amount, own.amount);
}
