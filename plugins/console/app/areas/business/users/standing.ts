import type { Row } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";

export const UPDATE = "UserService/updateUser";
export const VERIFY = "UserService/verifyUser";
export const ACCOUNT = "UserAccountService/findEnabledUserAccountWithUserId";
export const BOOK = "UserAccountService/updateUserAccount";
const BILLS = "UserBillService/listUserBills";
const MAX_BILLS = 1000n;

/** A user, as far as operators decide about them. */
export interface User extends Row {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
  readonly isOn: boolean;
  readonly isVerified: boolean;
  readonly isRejected: boolean;
  readonly rejectReason: string;
  readonly nodeCluster?: { readonly id: bigint };
}

export type UserState = "rejected" | "off" | "suspended" | "unverified" | "verified";

/** The money of a user. */
export interface Standing {
  /** Absent if there are no accounts, or the reader may not see them. */
  readonly account?: { readonly id: bigint; readonly total: number; readonly debt: number } | undefined;
  readonly openBills: number;
  readonly openAmount: number;
  readonly overdueBills: number;
}

interface Bill {
  readonly amount: number;
  readonly isOverdue: boolean;
}

/** Loads the balance of a user, and what the user owes. */
export async function loadStanding(userId: bigint, signal?: AbortSignal): Promise<Standing> {
  const request = { userId, paidFlag: 0, offset: 0n, size: MAX_BILLS };
  const [found, listed] = await Promise.all([
    mayCall(ACCOUNT) ? callPath(ACCOUNT, { userId }, signal) : {},
    mayCall(BILLS) ? callPath(BILLS, request, signal) : {},
  ]) as [Record<string, unknown>, Record<string, unknown>];
  const bills = (listed["userBills"] ?? []) as readonly Bill[];
  return {
    account: found["userAccount"] as Standing["account"],
    openBills: bills.length,
    openAmount: bills.reduce((sum, { amount }) => sum + amount, 0),
    overdueBills: bills.filter(({ isOverdue }) => isOverdue).length,
  };
}

/** Returns the state of a user: the first one that applies. */
export function stateOf({ isRejected, isOn, isVerified }: User, { overdueBills }: Standing): UserState {
  if (isRejected) return "rejected";
  if (!isOn) return "off";
  if (overdueBills > 0) return "suspended";
  return isVerified ? "verified" : "unverified";
}

export const STATE_KINDS = {
  rejected: "bad",
  off: "idle",
  suspended: "bad",
  unverified: "warn",
  verified: "ok",
} as const;

/** Turns a user on or off; everything else stays. */
export async function turn(user: User, isOn: boolean): Promise<void> {
  const { id, nodeCluster, username, fullname } = user;
  const kept = Object.fromEntries(
    ["mobile", "tel", "email", "remark", "bandwidthAlgo"].map((name) => [name, user[name] ?? ""]),
  );
  await callPath(UPDATE, { ...kept, userId: id, username, fullname, nodeClusterId: nodeCluster?.id ?? 0n, isOn });
}
