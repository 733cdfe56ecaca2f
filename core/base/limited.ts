import type { Timers } from "./clock.ts";

/**
 * Waits for work up to a time limit. The work itself goes on.
 *
 * @param error creates the error for work that takes longer
 */
export async function limited<Result>(
  work: Promise<Result> | Result,
  milliseconds: number,
  timers: Timers,
  error: () => Error,
): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const cancel = timers.after(milliseconds, () => late.reject(error()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
