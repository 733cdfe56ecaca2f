import type { Call } from "edgehelm";
import type { NSDomainFollower } from "./contract.ts";
import type { NSDomainStore } from "./store.ts";

/** How much one transaction changes: little enough to hold nobody up. */
export const FOLLOWED_AT_ONCE = 500;

/**
 * Brings what lives with domains to where they moved, or away with those that were deleted, piece by piece. It can stop
 * anywhere: a domain that is not done is still in the table, and what has followed is not changed again.
 */
export async function followDomains(
  call: Call,
  domains: NSDomainStore,
  followers: readonly NSDomainFollower[],
): Promise<void> {
  for (;;) {
    const next = await domains.nextFollowing.first(call, {});
    if (next === undefined) return;
    const isDone = await call.transact(async (inner) => {
      const row = await domains.placeOf.one(inner, next);
      const place = { id: row.id, nsClusterId: row.nsClusterId, isDeleted: row.state === 0n };
      for (const follower of followers) {
        if (await follower.followSome(inner, place, FOLLOWED_AT_ONCE) >= FOLLOWED_AT_ONCE) return false;
      }
      await domains.endFollowing.run(inner, next);
      return true;
    });
    call.log.debug("things of a domain follow it", { nsDomainId: next.nsDomainId, isDone });
  }
}
