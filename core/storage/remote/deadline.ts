import { MAX_TIMER } from "../../base/clock.ts";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { errorKind } from "./errors.ts";

/** The number of retries after a lost response: a connection or stream that the server has ended fails once. */
const LOST_RETRIES = 2;
/** The maximum pause between two attempts, in milliseconds. */
const MAX_PAUSE = 200;

/**
 * Waits for `work` until a deadline.
 *
 * @param until unix milliseconds
 * @param what the name of the work, for the error
 * @param onExpired called when the deadline passes
 * @throws RpcError deadline
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  until: number,
  what: string,
  onExpired?: () => void,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(kernelErrors.deadline(what));
      onExpired?.();
    }, Math.min(Math.max(0, until - Date.now()), MAX_TIMER));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Retries work that conflicted with another writer or whose response was lost. The work must be idempotent. Throws the
 * errors of the client.
 *
 * @param until the deadline in unix milliseconds, at which the signal of an attempt aborts
 * @param maxRetries the maximum number of retries after lost responses
 */
export async function withRetries<Result>(
  until: number,
  attempt: (signal: AbortSignal) => Promise<Result>,
  maxRetries = LOST_RETRIES,
): Promise<Result> {
  let retries = 0;
  let lastError: unknown;
  for (let round = 0;; round++) {
    // one timer for deadline and signal: AbortSignal.timeout costs as much as half the request
    const request = new AbortController();
    try {
      return await withDeadline(attempt(request.signal), until, "the database", () => request.abort());
    } catch (error) {
      const kind = errorKind(error);
      const isLate = Date.now() >= until && (kind === "lost" || error instanceof RpcError);
      if (isLate) throw lastError ?? kernelErrors.deadline("the database");
      lastError = error;
      const pause = Math.random() * Math.min(MAX_PAUSE, 5 * 2 ** round);
      const mayRetry = kind === "busy" || (kind === "lost" || kind === "ended") && retries++ < maxRetries;
      if (!mayRetry || Date.now() + pause >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
