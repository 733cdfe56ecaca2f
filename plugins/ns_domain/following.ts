import type { Call } from "edgehelm";
import type { NSDomainFollower } from "./contract.ts";
import type { NSDomainChanges } from "./store_changes.ts";
import type { NSDomainStore } from "./store.ts";

/** The number of objects that one transaction updates: small enough not to delay other writers. */
const BATCH_SIZE = 500;

/**
 * Returns the job that updates the data of other plugins after domains moved or were deleted, in batches. The job can
 * be interrupted at any point: an unfinished domain stays in the table, and updating it again is harmless. A domain
 * that changes during the update is updated once more.
 */
export function followJob(
  domains: NSDomainStore,
  changes: NSDomainChanges,
  followers: readonly NSDomainFollower[],
) {
  return async (call: Call): Promise<void> => {
    for (;;) {
      const next = await domains.nextToFollow.first(call, {});
      if (next === undefined) return;
      for (const follower of followers) await follow(call, domains, follower, next.nsDomainId);
      await call.transact((inner) => changes.endFollow.run(inner, next));
    }
  };
}

async function follow(call: Call, domains: NSDomainStore, follower: NSDomainFollower, nsDomainId: bigint) {
  let after: bigint | undefined = 0n;
  while (after !== undefined) {
    const start: bigint = after;
    after = await call.transact(async (inner) => {
      const { id, nsClusterId, state } = await domains.stateOf.one(inner, { nsDomainId });
      return await follower.followSome(inner, { id, nsClusterId, isDeleted: state === 0n }, start, BATCH_SIZE);
    });
  }
}
