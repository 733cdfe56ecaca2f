import { callPath } from "../../shell/call.ts";
import { areaPages } from "../../shell/area.ts";
import { linkTo } from "../../shell/route.ts";
import { isListed, mayCall, session } from "../../shell/state.ts";

/** True if the reader is a customer who may call all of these operations. */
export function isCustomerWith(...paths: readonly string[]): boolean {
  return session.value?.type === "user" && paths.every(mayCall);
}

/** Returns the balance of the customer; undefined if there are no accounts. */
export async function balanceOf(signal?: AbortSignal): Promise<Balance | undefined> {
  const path = "UserAccountService/findEnabledUserAccountWithUserId";
  if (!mayCall(path)) return undefined;
  return (await callPath(path, {}, signal))["userAccount"] as Balance | undefined;
}

/** Returns the link to the objects of a kind: the page that replaces their list, or the list; empty if there is none. */
export function placeOf(noun: string): string {
  const page = areaPages().find(({ replaces }) => replaces?.includes(noun));
  if (page !== undefined) return linkTo([page.key]);
  return isListed(noun) ? linkTo(["resource", noun]) : "";
}

export interface Balance {
  readonly id: bigint;
  readonly total: number;
  readonly debt: number;
}
