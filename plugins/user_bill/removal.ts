import type { UserRemoval } from "../user/contract.ts";
import type { BillStores } from "./generate.ts";

/** Deletes the unpaid bills of a deleted user, and what waits for the next one. Paid bills are kept. */
export function billRemoval({ bills, charges }: BillStores): UserRemoval {
  return {
    async removeSome(call, userId, limit) {
      const removed = await bills.removeSomeUnpaid.run(call, { userId, limit });
      return removed > 0n ? removed : await charges.removeSomeLateDays.run(call, { userId, limit });
    },
  };
}
