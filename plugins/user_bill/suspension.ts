import { type Clock, unixSeconds } from "edgehelm";
import type { UserSuspension } from "../user/contract.ts";
import type { UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** Suspends users with bills that were not paid in time. */
export function billSuspension(bills: UserBillStore, { overdueSeconds }: Tariff, clock: Clock): UserSuspension {
  return {
    async overdue(call, userIds) {
      const before = unixSeconds(clock) - overdueSeconds;
      return new Set((await bills.overdue.all(call, { userIds, before })).map(({ userId }) => userId));
    },
  };
}
