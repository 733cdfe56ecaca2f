import type { Row } from "../../../shell/area.ts";
import { callPath } from "../../../shell/call.ts";
import { mayCall, model } from "../../../shell/state.ts";

export const UPDATE = "UserService/updateUser";
export const VERIFY = "UserService/verifyUser";
export const ACCOUNT = "UserAccountService/findEnabledUserAccountWithUserId";
export const BOOK = "UserAccountService/updateUserAccount";
const FIND = "UserService/findEnabledUser";
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

export type UserState = "rejected" | "off" | "suspended" | "unverified" | "billsUnknown" | "verified";

/** The money of a user. */
export interface Standing {
  /** Absent if there are no accounts, or the reader may not see them. */
  readonly account?: { readonly id: bigint; readonly total: number; readonly debt: number } | undefined;
  /** Absent if the reader may not see bills. */
  readonly bills?: OpenBills | undefined;
}

/** The bills that a user has not paid. */
export interface OpenBills {
  readonly count: number;
  readonly amount: number;
  readonly overdue: number;
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
  return {
    account: found["userAccount"] as Standing["account"],
    bills: isServed(BILLS) && !mayCall(BILLS) ? undefined : summed((listed["userBills"] ?? []) as readonly Bill[]),
  };
}

function isServed(path: string): boolean {
  return model.value?.operations.some((operation) => operation.path === `/${path}`) === true;
}

function summed(bills: readonly Bill[]): OpenBills {
  return {
    count: bills.length,
    amount: bills.reduce((sum, { amount }) => sum + amount, 0),
    overdue: bills.filter(({ isOverdue }) => isOverdue).length,
  };
}

/** Returns the state of a user: the first one that applies, as far as the reader may know. */
export function stateOf({ isRejected, isOn, isVerified }: User, { bills }: Standing): UserState {
  if (isRejected) return "rejected";
  if (!isOn) return "off";
  if (bills !== undefined && bills.overdue > 0) return "suspended";
  if (!isVerified) return "unverified";
  return bills === undefined ? "billsUnknown" : "verified";
}

export const STATE_KINDS = {
  rejected: "bad",
  off: "idle",
  suspended: "bad",
  unverified: "warn",
  billsUnknown: "ok",
  verified: "ok",
} as const;

/** Turns a user on or off; everything else stays, also what another admin changed since the page was loaded. */
export async function turn({ id }: User, isOn: boolean): Promise<void> {
  const { user } = await callPath(FIND, { userId: id }) as unknown as { readonly user: User };
  const { nodeCluster, username, fullname } = user;
  const kept = Object.fromEntries(
    ["mobile", "tel", "email", "remark", "bandwidthAlgo"].map((name) => [name, user[name] ?? ""]),
  );
  await callPath(UPDATE, { ...kept, userId: id, username, fullname, nodeClusterId: nodeCluster?.id ?? 0n, isOn });
}
