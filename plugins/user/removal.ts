import type { Call } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import type { UserRemoval } from "./contract.ts";
import type { UserChanges } from "./store_changes.ts";

/** The number of objects that one transaction deletes, small enough not to delay other writes. */
export const REMOVAL_BATCH_SIZE = 500;

/**
 * Deletes the objects of deleted users in batches. It can be interrupted at any point: unfinished users remain in the
 * table, and deleting is idempotent.
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
      await inBatches(call, REMOVAL_BATCH_SIZE, (inner, limit) => removal.removeSome(inner, next.userId, limit));
    }
    await call.transact((inner) => changes.endRemoval.run(inner, next));
  }
}
