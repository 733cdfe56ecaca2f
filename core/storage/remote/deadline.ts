import { kernelErrors, RpcError } from "../../base/errors.ts";
import { faultKind } from "./faults.ts";

/** Times a lost answer is asked for again: connections and streams that the server ended meanwhile fail once. */
const LOST_RETRIES = 2;
const MAX_PAUSE = 200;

/**
 * Waits for `work` until a time in unix milliseconds; what comes after that is ignored.
 *
 * @param giveUp runs when the time is over
 */
export async function beforeDeadline<Result>(
  work: Promise<Result>,
  until: number,
  what: string,
  giveUp?: () => void,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(kernelErrors.deadline(what));
      giveUp?.();
    }, Math.max(0, until - Date.now()));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tries again what another writer was in the way of, or what was not answered. Only for what may be done twice, and
 * for what cannot have been done. Throws what the client threw. The signal of an attempt aborts at the deadline.
 */
export async function untilAnswered<Result>(
  until: number,
  attempt: (signal: AbortSignal) => Promise<Result>,
  lostRetries = LOST_RETRIES,
): Promise<Result> {
  let lost = 0;
  let fault: unknown;
  for (let round = 0;; round++) {
    // a timer for both: a signal with a time of its own costs as much as half the request
    const request = new AbortController();
    try {
      return await beforeDeadline(attempt(request.signal), until, "the database", () => request.abort());
    } catch (error) {
      const kind = faultKind(error);
      const isLate = Date.now() >= until && (kind === "lost" || error instanceof RpcError);
      if (isLate) throw fault ?? kernelErrors.deadline("the database");
      fault = error;
      const pause = Math.random() * Math.min(MAX_PAUSE, 5 * 2 ** round);
      const mayRepeat = kind === "busy" || (kind === "lost" || kind === "ended") && lost++ < lostRetries;
      if (!mayRepeat || Date.now() + pause >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
