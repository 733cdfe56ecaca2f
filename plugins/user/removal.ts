import { type Call, inBatches } from "edgehelm";
import type { UserRemoval } from "./contract.ts";
import type { UserChanges } from "./store_changes.ts";

/** How much one transaction removes: little enough to hold nobody up. */
export const REMOVED_AT_ONCE = 500;

/**
 * Removes what hangs on deleted users, piece by piece. It can stop anywhere: who is not done is still in the table, and
 * removing what is gone removes nothing.
 */
export async function removeDeletedUsers(
  call: Call,
  changes: UserChanges,
  removals: readonly UserRemoval[],
): Promise<void> {
  for (;;) {
    const next = await changes.nextRemoval.first(call, {});
    if (next === undefined) return;
    for (const removal of removals) {
      await inBatches(call, REMOVED_AT_ONCE, (inner, limit) => removal.removeSome(inner, next.userId, limit));
    }
    await call.transact((inner) => changes.endRemoval.run(inner, next));
  }
}
