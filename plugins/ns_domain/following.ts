import type { Call } from "edgehelm";
import type { NSDomainFollower } from "./contract.ts";
import type { NSDomainStore } from "./store.ts";

/** How much one transaction changes: little enough to hold nobody up. */
export const FOLLOWED_AT_ONCE = 500;

/**
 * Brings what lives with domains to where they moved, or away with those that were deleted, piece by piece. It can stop
 * anywhere: a domain that is not done is still in the table, and following it again does no harm. A domain that changes
 * meanwhile is followed once more.
 */
export function following(domains: NSDomainStore, followers: readonly NSDomainFollower[]) {
  return async (call: Call): Promise<void> => {
    for (;;) {
      const next = await domains.nextFollowing.first(call, {});
      if (next === undefined) return;
      for (const follower of followers) await follow(call, domains, follower, next.nsDomainId);
      await call.transact((inner) => domains.endFollowing.run(inner, next));
    }
  };
}

async function follow(call: Call, domains: NSDomainStore, follower: NSDomainFollower, nsDomainId: bigint) {
  let after: bigint | undefined = 0n;
  while (after !== undefined) {
    const from: bigint = after;
    after = await call.transact(async (inner) => {
      const { id, nsClusterId, state } = await domains.placeOf.one(inner, { nsDomainId });
      return await follower.followSome(inner, { id, nsClusterId, isDeleted: state === 0n }, from, FOLLOWED_AT_ONCE);
    });
  }
}
