import type { JsonObject } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract } from "edgehelm";

/** Why money moves. Income raises the balance, expense lowers it. */
export type UserAccountEvent = "charge" | "award" | "refund" | UserAccountExpense;
export type UserAccountExpense = "buyPlan" | "buyNSPlan" | "buyTrafficPackage" | "payBill" | "withdraw";

/** One movement of money. */
export interface UserAccountEntry {
  readonly userId: bigint;
  /** In hundredths of the currency; below zero for an expense. */
  readonly delta: bigint;
  readonly eventType: UserAccountEvent;
  /** For people. */
  readonly description: string;
  /** For programs, such as `{"userPlanId": "7"}`. */
  readonly params?: JsonObject;
}

/** What other plugins may do with the money of users. */
export interface UserAccounts {
  /** What the user has, in hundredths of the currency. */
  balance(call: Call, userId: bigint): Promise<bigint>;
  /** Books a movement, in the call's transaction. Refuses when the user does not exist or the balance does not suffice. */
  book(call: Call, entry: UserAccountEntry): Promise<void>;
}
export const UserAccounts: Contract<UserAccounts> = defineContract("user_account");
