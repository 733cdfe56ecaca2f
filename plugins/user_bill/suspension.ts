import { type Clock, unixSeconds } from "edgehelm";
import type { UserSuspension } from "../user/contract.ts";
import type { UserBillStore } from "./store.ts";
import type { Tariff } from "./tariff.ts";

/** Suspends users with bills that were not paid in time. */
export function billSuspension(bills: UserBillStore, { overdueSeconds }: Tariff, clock: Clock): UserSuspension {
  const before = () => unixSeconds(clock) - overdueSeconds;
  return {
    async overdue(call, userIds) {
      return new Set((await bills.overdue.all(call, { userIds, before: before() })).map(({ userId }) => userId));
    },
    async overdueWithin(call, first, last) {
      const found = await bills.overdueWithin.all(call, { first, last, before: before() });
      return new Set(found.map(({ userId }) => userId));
    },
  };
}
