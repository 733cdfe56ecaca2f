/** Longer than anything goes on. A timer of its own also keeps a request's context, which others' promises do not. */
const LIMIT_MILLISECONDS = 25_000;

/**
 * Knows what goes on after the requests that began it. Runtimes end that when the answer is out, in the middle of
 * whatever it does: what it holds would be held for ever.
 */
export class Background {
  readonly #running = new Set<Promise<unknown>>();

  /** Counts this in until it ends, one way or the other. */
  readonly add = (work: Promise<unknown>): void => {
    this.#running.add(work);
    const done = () => void this.#running.delete(work);
    work.then(done, done);
  };

  /** Resolves when all that goes on now has ended. */
  async settled(): Promise<void> {
    if (this.#running.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise((resolve) => timer = setTimeout(resolve, LIMIT_MILLISECONDS));
    await Promise.race([Promise.allSettled(this.#running), limit]);
    clearTimeout(timer);
  }
}
