import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { UserRemoval, Users } from "../user/contract.ts";
import type { UserAccountEntry, UserAccounts } from "./contract.ts";
import { errors } from "./errors.ts";
import type { UserAccountStore } from "./store.ts";

/** Books transactions on accounts and logs them. */
export class AccountLedger implements UserAccounts {
  readonly #accounts: UserAccountStore;
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(accounts: UserAccountStore, users: Users, clock: Clock) {
    this.#accounts = accounts;
    this.#users = users;
    this.#clock = clock;
  }

  async balance(call: Call, userId: bigint): Promise<bigint> {
    return (await this.#accounts.byId.first(call, { id: userId }))?.total ?? 0n;
  }

  async book(call: Call, { userId, delta, eventType, description, params = {} }: UserAccountEntry): Promise<void> {
    await this.#users.requireUser(call, "userId", userId);
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
      paramsJSON: new TextEncoder().encode(JSON.stringify(params)),
      createdAt: unixSeconds(this.#clock),
    });
  }
}

/** Deletes the account and its log with their user. */
export function accountRemoval(accounts: UserAccountStore): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      await accounts.remove.run(call, { id: userId });
      return await accounts.removeSomeLogs.run(call, { userAccountId: userId, limit });
    },
  };
}
