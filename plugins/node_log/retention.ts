import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { NodeLogStore } from "./store.ts";
import type { NodeLogChanges } from "./store_changes.ts";

/** How much one transaction removes: little enough to hold nobody up. */
const REMOVED_AT_ONCE = 1000;
const DAY = 86_400n;

/** For how many days logs are kept. */
export interface Retention {
  readonly days: number;
  readonly infoDays: number;
}

/** Removes the logs that are too old, and those of nodes that are gone, piece by piece. It can stop anywhere. */
export async function removeLogs(
  call: Call,
  { logs, changes, clock }: { logs: NodeLogStore; changes: NodeLogChanges; clock: Clock },
  { days, infoDays }: Retention,
): Promise<void> {
  const now = unixSeconds(clock);
  const chunks = async (remove: (call: Call) => Promise<bigint>) => {
    while (await call.transact(remove) >= BigInt(REMOVED_AT_ONCE));
  };
  for (;;) {
    const gone = await logs.nextRemoval.first(call, {});
    if (gone === undefined) break;
    await chunks((inner) => changes.removeSomeOfNode.run(inner, { ...gone, limit: REMOVED_AT_ONCE }));
    await call.transact(async (inner) => {
      await changes.forgetCount.run(inner, gone);
      await changes.endRemoval.run(inner, gone);
    });
  }
  const old = { before: now - BigInt(days) * DAY, limit: REMOVED_AT_ONCE };
  await chunks((inner) => changes.removeSomeBefore.run(inner, old));
  const oldInfo = { before: now - BigInt(infoDays) * DAY, limit: REMOVED_AT_ONCE };
  await chunks((inner) => changes.removeSomeInfoBefore.run(inner, oldInfo));
}
