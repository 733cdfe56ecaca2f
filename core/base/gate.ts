import { MAX_TIMER } from "./clock.ts";

/** An event that one call waits for and another call triggers. See {@link gate}. */
export interface Gate {
  /** Resolves to true once the gate is open, or to false when its deadline passes. */
  readonly opened: Promise<boolean>;
  /** Opens the gate. Further calls do nothing. */
  open(): void;
}

/**
 * Workerd isolates requests: a request that awaits a promise resolved by another request resumes too late, in the
 * context of the other request, or never. There each request polls with its own timers.
 */
const ISOLATES_REQUESTS = globalThis.navigator?.userAgent === "Cloudflare-Workers";
/** The polling interval in milliseconds, and the factor by which it grows. */
const [MIN_PAUSE, MAX_PAUSE, GROWTH] = [1, 50, 1.5];

/**
 * Creates a gate on which this call can wait for another call. Plugins use it instead of a promise that crosses calls,
 * because workerd does not let one request resume another.
 *
 * @param until the deadline in unix milliseconds
 *
 * @example
 * ```ts
 * import { kernelErrors } from "edgehelm";
 * import { gate } from "edgehelm/runtime";
 *
 * const { opened, open } = gate(call.deadline);
 * waiting.push(open); // the call that frees a slot opens the first gate
 * if (!await opened) throw kernelErrors.unavailable("no slot became free in time");
 * ```
 */
export function gate(until: number): Gate {
  return ISOLATES_REQUESTS ? pollingGate(until) : promiseGate(until);
}

/**
 * Waits for work that another call may have started.
 *
 * @param milliseconds the time limit: the call that started the work may have been abandoned
 * @param late returns the error to throw when the time is over
 */
export async function awaitShared<Result>(
  work: Promise<Result>,
  milliseconds: number,
  late: () => Error,
): Promise<Result> {
  const { opened, open } = gate(Date.now() + milliseconds);
  let outcome: (() => Result) | undefined;
  work.then((result) => {
    outcome = () => result;
    open();
  }, (error) => {
    outcome = () => {
      throw error;
    };
    open();
  });
  await opened;
  if (outcome === undefined) throw late();
  return outcome();
}

function promiseGate(until: number): Gate {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.min(Math.max(0, until - Date.now()), MAX_TIMER));
  return {
    opened: promise,
    open() {
      clearTimeout(timer);
      resolve(true);
    },
  };
}

function pollingGate(until: number): Gate {
  let isOpen = false;
  async function poll(): Promise<boolean> {
    for (let pause = MIN_PAUSE; !isOpen && Date.now() < until; pause = Math.min(pause * GROWTH, MAX_PAUSE)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return isOpen;
  }
  return { opened: poll(), open: () => isOpen = true };
}
