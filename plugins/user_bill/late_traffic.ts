import type { Call } from "edgehelm";
import type { LateTrafficListener, UserDay } from "../server_daily_stat/contract.ts";
import type { ChargeStore } from "./store_charges.ts";

/** Remembers days whose traffic arrives after their bills were begun, in the transaction that stores the traffic. */
export function lateTrafficListener(charges: ChargeStore): LateTrafficListener {
  return {
    async arrived(call: Call, days: readonly UserDay[]) {
      const billedTo = (await charges.scope.first(call, {}))?.billedTo ?? "";
      const late = days.filter(({ userId, day }) => userId !== 0n && day <= billedTo);
      if (late.length === 0) return;
      await charges.addLateDays.run(call, { days: lateDaysJSON(late) });
    },
  };
}

/** Returns days with their users, and versions if they have any, as JSON. */
export function lateDaysJSON(days: readonly (UserDay & { readonly version?: bigint })[]): string {
  return JSON.stringify(days.map(({ userId, day, version = 0n }) => [String(userId), day, String(version)]));
}
