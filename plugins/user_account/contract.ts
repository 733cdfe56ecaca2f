import type { JsonObject } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract } from "edgehelm";
import type { TimeSpan } from "edgehelm/fields";

/** The type of a transaction. Income increases the balance, an expense decreases it. */
export type UserAccountEvent = "charge" | "award" | "refund" | UserAccountExpense;
export type UserAccountExpense =
  | "buyPlan"
  | "buyNSPlan"
  | "buyTrafficPackage"
  | "payBill"
  | "withdraw"
  /** A payment that was paid back to the user. */
  | "paymentRefund"
  /** A payment that the user's bank took back. */
  | "chargeback";

/** An account transaction. */
export interface UserAccountEntry {
  readonly userId: bigint;
  /** The amount in hundredths of the currency unit; negative for an expense. */
  readonly delta: bigint;
  readonly eventType: UserAccountEvent;
  /** A human-readable description. */
  readonly description: string;
  /** Additional data for programs, such as `{"userPlanId": "7"}`. */
  readonly params?: JsonObject;
}

/** An expense that a user had for something. */
export interface UserAccountPurchase {
  readonly id: bigint;
  /** In hundredths of the currency unit; negative. */
  readonly delta: bigint;
  readonly description: string;
}

/** Gives other plugins access to the accounts of users. */
export interface UserAccounts {
  /** Returns the balance of a user, in hundredths of the currency unit. */
  balance(call: Call, userId: bigint): Promise<bigint>;
  /** Books an entry in the transaction of the call. Refuses a user that does not exist or an insufficient balance. */
  book(call: Call, entry: UserAccountEntry): Promise<void>;
  /**
   * Books an expense that cannot be refused, such as a chargeback, in the transaction of the call. As a balance is never
   * negative, the part that exceeds it becomes a debt, which the next income pays first.
   *
   * @example
   * ```ts
   * await accounts.claim(call, { userId, delta: -2500n, eventType: "chargeback", description: "order 4711" });
   * ```
   */
  claim(call: Call, entry: UserAccountEntry & { readonly eventType: UserAccountExpense }): Promise<void>;
  /** Returns up to `limit` expenses for plans, packages and bills in a span of time, oldest first. */
  purchases(call: Call, userId: bigint, span: TimeSpan, limit: number): Promise<readonly UserAccountPurchase[]>;
  /** Returns the debts of users in hundredths of the currency unit, by user; those without debts are absent. */
  debts(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, bigint>>;
}
export const UserAccounts: Contract<UserAccounts> = defineContract("user_account");

/** Divides an amount, rounded half up. This is the only rounding of money. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
