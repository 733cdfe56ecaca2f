import type { Call } from "../base/call.ts";

/**
 * Runs a large change a piece at a time, each in a transaction of its own, so that others write in between. It can stop
 * anywhere, and goes on when it is run again.
 *
 * @param size how many rows one piece may touch
 * @param change touches at most `limit` rows, and answers how many; it is run until it finds fewer
 * @example
 * ```ts
 * await inBatches(call, 1000, (inner, limit) => logs.removeOlder.run(inner, { before, limit }));
 * ```
 */
export async function inBatches(
  call: Call,
  size: number,
  change: (call: Call, limit: number) => Promise<number | bigint>,
): Promise<void> {
  while (await call.transact((inner) => change(inner, size)) >= size);
}
