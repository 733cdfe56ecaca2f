import type { Bill } from "../../../parts/money/models.ts";
import type { NamedUser } from "../../../parts/money/user_link.tsx";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";

export const PAY = "UserBillService/payUserBill";
export const GENERATE = "UserBillService/generateAllUserBills";
export const LIST = {
  list: "UserBillService/listUserBills",
  field: "userBills",
  count: "UserBillService/countAllUserBills",
};

/** A bill with the user who owes it. */
export interface UserBill extends Bill {
  readonly user?: NamedUser;
}

interface Account {
  readonly id: bigint;
  readonly total: number;
}

/** A bill with what the reader may know about how it is paid. */
export interface BillDetail {
  readonly bill: UserBill | undefined;
  readonly account: Account | undefined;
  readonly entries: readonly AccountEntry[];
}

/** A booking on an account. */
export interface AccountEntry {
  readonly id: bigint;
  readonly delta: number;
  readonly total: number;
  readonly description: string;
  readonly createdAt: bigint;
}

const ACCOUNT = "UserAccountService/findEnabledUserAccountWithUserId";
const ENTRIES = "UserAccountLogService/listUserAccountLogs";

/** Loads a bill, the account that pays it, and what was booked for it. */
export async function loadBill(id: bigint, signal?: AbortSignal): Promise<BillDetail> {
  const { userBill } = await callPath("UserBillService/findUserBill", { userBillId: id }, signal);
  const bill = userBill as UserBill | undefined;
  if (bill?.user === undefined || bill.user.isDeleted || !mayCall(ACCOUNT)) {
    return { bill, account: undefined, entries: [] };
  }
  const found = await callPath(ACCOUNT, { userId: bill.user.id }, signal);
  const account = found["userAccount"] as Account | undefined;
  if (account === undefined || !mayCall(ENTRIES)) return { bill, account, entries: [] };
  const request = { userAccountId: account.id, keyword: bill.code, eventType: "payBill", offset: 0n, size: 20n };
  const listed = await callPath(ENTRIES, request, signal);
  return { bill, account, entries: listed["userAccountLogs"] as readonly AccountEntry[] };
}
