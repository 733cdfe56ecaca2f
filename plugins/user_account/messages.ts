import { amountNumber } from "edgehelm/fields";
import type { NestedUser } from "../user/contract.ts";
import type { UserAccountLogRow } from "./store.ts";

/** Returns the message of an account, which has the id of its user. */
export function accountMessage(id: bigint, total: bigint, debt: bigint, user: NestedUser | undefined) {
  return {
    id,
    userId: id,
    total: amountNumber(total),
    debt: amountNumber(debt),
    ...(user && { user }),
  };
}

export function logMessage(row: UserAccountLogRow, userAccount: ReturnType<typeof accountMessage>) {
  const { user, ...account } = userAccount;
  return {
    id: row.id,
    userId: row.userAccountId,
    userAccountId: row.userAccountId,
    delta: amountNumber(row.delta),
    total: amountNumber(row.total),
    eventType: row.eventType,
    description: row.description,
    createdAt: row.createdAt,
    paramsJSON: row.paramsJSON,
    userAccount: account,
    ...(user && { user }),
  };
}
