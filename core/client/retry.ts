import { ApiError } from "./api_error.ts";

/** The number of attempts of a call, and the delays between them. */
export interface RetryOptions {
  /** The number of attempts, the first included. 4 by default; 1 means no retries. */
  readonly attempts?: number;
  /** The delay before the second attempt in milliseconds, which doubles with each attempt. 200 by default. */
  readonly firstDelayMilliseconds?: number;
  /** The maximum of a delay in milliseconds, also of one that the server asks for. 10,000 by default. */
  readonly maxDelayMilliseconds?: number;
}

/** Runs an attempt until it succeeds, fails for good, or all attempts are used. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { attempts = 4, firstDelayMilliseconds = 200, maxDelayMilliseconds = 10_000 }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Result> {
  for (let made = 1;; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isTemporary || made >= attempts || signal?.aborted) throw error;
      const asked = (error.retryAfterSeconds ?? 0) * 1000;
      // half of the delay is random, so that clients that failed together do not return together
      const own = firstDelayMilliseconds * 2 ** (made - 1) * (0.5 + Math.random() / 2);
      await delay(Math.min(Math.max(asked, own), maxDelayMilliseconds), signal);
    }
  }
}

/** Waits. Rejects with the reason of the signal if it aborts. */
function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
