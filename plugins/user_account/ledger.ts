import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { TimeSpan } from "edgehelm/fields";
import type { UserRemoval, Users, UserStates, UserSuspension } from "../user/contract.ts";
import type { UserAccountEntry, UserAccountExpense, UserAccountPurchase, UserAccounts } from "./contract.ts";
import { errors } from "./errors.ts";
import type { DebtStore } from "./store_debts.ts";
import type { UserAccountStore } from "./store.ts";

/** The time after which a debt suspends a user. */
const DEBT_SECONDS = 7n * 86_400n;

/** The dependencies of the ledger. */
export interface Deps {
  readonly accounts: UserAccountStore;
  readonly debts: DebtStore;
  readonly users: Users;
  readonly states: UserStates | undefined;
  readonly clock: Clock;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Books transactions on accounts and logs them. */
export class AccountLedger implements UserAccounts {
  readonly #accounts: UserAccountStore;
  readonly #debts: DebtStore;
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#accounts = deps.accounts;
    this.#debts = deps.debts;
    this.#deps = deps;
  }

  async balance(call: Call, userId: bigint): Promise<bigint> {
    return (await this.#accounts.byId.first(call, { id: userId }))?.total ?? 0n;
  }

  async debts(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>> {
    const sums = userIds.length === 0 ? [] : await this.#debts.sums.all(call, { ids: userIds });
    return new Map(sums.map(({ userAccountId, amount }) => [userAccountId, amount]));
  }

  purchases(call: Call, userId: bigint, { from, to }: TimeSpan, limit: number): Promise<UserAccountPurchase[]> {
    return this.#accounts.purchases.all(call, { id: userId, from, to, limit });
  }

  async book(call: Call, entry: UserAccountEntry): Promise<void> {
    await this.#book(call, entry);
    if (entry.delta > 0n) await this.#settle(call, entry.userId);
  }

  async claim(call: Call, entry: UserAccountEntry & { readonly eventType: UserAccountExpense }): Promise<void> {
    const { userId, delta, eventType, description, params = {} } = entry;
    const balance = await this.balance(call, userId);
    const now = -delta < balance ? -delta : balance;
    if (now > 0n) await this.#book(call, { ...entry, delta: -now });
    const amount = -delta - now;
    if (amount === 0n) return;
    await this.#debts.insert.run(call, {
      ...{ userAccountId: userId, amount, eventType, description },
      paramsJSON: encoder.encode(JSON.stringify(params)),
      createdAt: unixSeconds(this.#deps.clock),
    });
  }

  async #book(call: Call, { userId, delta, eventType, description, params = {} }: UserAccountEntry): Promise<void> {
    await this.#deps.users.requireUser(call, "userId", userId);
    await this.#accounts.open.run(call, { id: userId });
    const updated = await this.#accounts.add.first(call, { id: userId, delta });
    if (updated === undefined) {
      const total = await this.balance(call, userId);
      throw delta < 0n ? errors.insufficient(userId, total, -delta) : errors.too_much(userId, total);
    }
    await this.#accounts.log.run(call, {
      userAccountId: userId,
      delta,
      total: updated.total,
      eventType,
      description,
      paramsJSON: encoder.encode(JSON.stringify(params)),
      createdAt: unixSeconds(this.#deps.clock),
    });
  }

  /** Pays debts, oldest first, as far as the balance suffices. */
  async #settle(call: Call, userId: bigint): Promise<void> {
    for (let paid = false;; paid = true) {
      const debt = await this.#debts.oldest.first(call, { id: userId });
      const balance = debt === undefined ? 0n : await this.balance(call, userId);
      if (debt === undefined || balance === 0n) {
        if (paid) await this.#deps.states?.derive(call, [userId]);
        return;
      }
      const { id, amount, eventType, description } = debt;
      const now = amount < balance ? amount : balance;
      const params = JSON.parse(decoder.decode(debt.paramsJSON));
      await this.#book(call, { userId, delta: -now, eventType, description, params });
      if (now === amount) await this.#debts.remove.run(call, { id });
      else await this.#debts.reduce.run(call, { id, amount: amount - now });
    }
  }
}

/** Deletes the account, its debts and its log with their user. */
export function accountRemoval({ accounts, debts }: Pick<Deps, "accounts" | "debts">): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      await accounts.remove.run(call, { id: userId });
      await debts.removeAll.run(call, { id: userId });
      return await accounts.removeSomeLogs.run(call, { userAccountId: userId, limit });
    },
  };
}

/** Suspends users whose debts are old. */
export function debtSuspension({ debts, clock }: Pick<Deps, "debts" | "clock">): UserSuspension {
  const before = () => unixSeconds(clock) - DEBT_SECONDS;
  return {
    async overdue(call, userIds) {
      const rows = await debts.overdue.all(call, { ids: userIds, before: before() });
      return new Set(rows.map(({ userAccountId }) => userAccountId));
    },
    async overdueWithin(call, first, last) {
      const rows = await debts.overdueWithin.all(call, { first, last, before: before() });
      return new Set(rows.map(({ userAccountId }) => userAccountId));
    },
  };
}
