import { type Call, type Clock, unixSeconds } from "edgehelm";
import { inBatches } from "edgehelm/storage";
import type { NodeLogStore } from "./store.ts";
import type { NodeLogChanges } from "./store_changes.ts";
import type { NodeLogCounts } from "./store_counts.ts";

/** The number of logs that one transaction changes: small enough not to delay other writers. */
export const CHUNK_SIZE = 500;
const DAY_SECONDS = 86_400n;

/** The retention of logs. */
export interface Retention {
  /** The retention of logs, in days. */
  readonly days: number;
  /** The retention of logs of the level info, in days. */
  readonly infoDays: number;
}

/**
 * Applies `act` to all logs that `find` finds, in chunks, so that other writes can run in between. `find` must not find
 * a log again after `act`.
 */
export async function inChunks(
  call: Call,
  find: (call: Call, limit: number) => Promise<readonly { readonly id: bigint }[]>,
  act: (call: Call, ids: bigint[]) => Promise<void>,
): Promise<void> {
  await inBatches(call, CHUNK_SIZE, async (inner, limit) => {
    const ids = (await find(inner, limit)).map(({ id }) => id);
    await act(inner, ids);
    return ids.length;
  });
}

/** Deletes expired logs and those of deleted nodes, in chunks. It can be interrupted at any point. */
export async function deleteLogs(
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
    const node = await logs.nextDeletedNode.first(call, {});
    if (node === undefined) break;
    await inChunks(call, (inner, limit) => logs.ofNode.all(inner, { ...node, limit }), changes.delete);
    await call.transact((inner) => changes.endDeletion.run(inner, node));
  }
  const before = now - BigInt(days) * DAY_SECONDS;
  await inChunks(call, (inner, limit) => logs.before.all(inner, { before, limit }), changes.delete);
  const infoBefore = now - BigInt(infoDays) * DAY_SECONDS;
  await inChunks(call, (inner, limit) => logs.infoBefore.all(inner, { before: infoBefore, limit }), changes.delete);
  await inBatches(call, CHUNK_SIZE, (inner, limit) => counts.deleteEmpty.run(inner, { limit }));
}
