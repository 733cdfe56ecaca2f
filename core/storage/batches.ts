import type { Call } from "../base/call.ts";

/**
 * Runs a large change in batches, each in its own transaction, so that other writes run in between. A run that stops
 * early can be continued by another one.
 *
 * @param size the maximum number of rows of a batch
 * @param change changes at most `limit` rows and returns their number; called until that is below `limit`
 *
 * @example
 * ```ts
 * import { inBatches } from "edgehelm/storage";
 *
 * await inBatches(call, 1000, (inner, limit) => logs.deleteOlder.run(inner, { before, limit }));
 * ```
 */
export async function inBatches(
  call: Call,
  size: number,
  change: (call: Call, limit: number) => Promise<number | bigint>,
): Promise<void> {
  while (await call.transact((inner) => change(inner, size)) >= size);
}
