const FIRST_MILLISECONDS = 250;
const MAX_MILLISECONDS = 30_000;

/** Returns a random pause before an attempt, so that nodes that lost one server do not all come back at once. */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  const limit = Math.min(MAX_MILLISECONDS, FIRST_MILLISECONDS * 2 ** Math.min(attempt, 20));
  return limit / 2 + (random() * limit) / 2;
}

/** Waits, at most until the signal aborts. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}
