import { type Call, type Clock, inBatches, unixSeconds } from "edgehelm";
import type { NodeLogStore } from "./store.ts";
import type { NodeLogChanges } from "./store_changes.ts";
import type { NodeLogCounts } from "./store_counts.ts";

/** How much one transaction changes: little enough to hold nobody up. */
export const CHANGED_AT_ONCE = 500;
const DAY = 86_400n;

/** For how many days logs are kept. */
export interface Retention {
  readonly days: number;
  readonly infoDays: number;
}

/** Does something to all logs that `find` finds, in pieces between which others write; what is done is not found again. */
export async function inChunks(
  call: Call,
  find: (call: Call, limit: number) => Promise<readonly { readonly id: bigint }[]>,
  act: (call: Call, ids: bigint[]) => Promise<void>,
): Promise<void> {
  await inBatches(call, CHANGED_AT_ONCE, async (inner, limit) => {
    const ids = (await find(inner, limit)).map(({ id }) => id);
    await act(inner, ids);
    return ids.length;
  });
}

/** Removes the logs that are too old, and those of nodes that are gone, piece by piece. It can stop anywhere. */
export async function removeLogs(
  call: Call,
  { logs, changes, counts, clock }: {
    logs: NodeLogStore;
    changes: NodeLogChanges;
    counts: NodeLogCounts;
    clock: Clock;
  },
  { days, infoDays }: Retention,
): Promise<void> {
  const now = unixSeconds(clock);
  for (;;) {
    const gone = await logs.nextRemoval.first(call, {});
    if (gone === undefined) break;
    await inChunks(call, (inner, limit) => logs.ofNode.all(inner, { ...gone, limit }), changes.remove);
    await call.transact((inner) => changes.endRemoval.run(inner, gone));
  }
  const before = now - BigInt(days) * DAY;
  await inChunks(call, (inner, limit) => logs.before.all(inner, { before, limit }), changes.remove);
  const infoBefore = now - BigInt(infoDays) * DAY;
  await inChunks(call, (inner, limit) => logs.infoBefore.all(inner, { before: infoBefore, limit }), changes.remove);
  await inBatches(call, CHANGED_AT_ONCE, (inner, limit) => counts.forgetEmpty.run(inner, { limit }));
}
