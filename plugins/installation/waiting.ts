import type { Timers } from "edgehelm/runtime";

/** Below the deadline of calls, so that work that takes longer is no error. */
const WAIT_MILLISECONDS = 20_000;

/** Waits for work as long as a caller can. Returns undefined if it takes longer; it goes on then. */
export async function waitFor<Result>(work: Promise<Result>, timers: Timers): Promise<Result | undefined> {
  const waited = Promise.withResolvers<undefined>();
  const cancelTimer = timers.after(WAIT_MILLISECONDS, () => waited.resolve(undefined));
  try {
    return await Promise.race([work, waited.promise]);
  } finally {
    cancelTimer();
  }
}
