/**
 * Lets other calls run before long work goes on. Reading a local database takes no turn of the event loop by itself, so a
 * job over many rows waits for this between its batches, each of which should take a few milliseconds.
 *
 * @example
 * ```ts
 * import { nextTurn } from "edgehelm/runtime";
 *
 * for (const batch of batches) {
 *   await derive(call, batch);
 *   await nextTurn();
 * }
 * ```
 */
export function nextTurn(): Promise<void> {
  // a timer would wait for at least a millisecond
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve);
  });
}
