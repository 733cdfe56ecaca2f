import { gate } from "../base/gate.ts";

/** Longer than anything goes on. */
const LIMIT_MILLISECONDS = 25_000;
/** What each request waits for grows with the batches, and how long it waits with their size. */
const BATCH_SIZE = 256;

interface Batch {
  readonly number: number;
  /** Told when all of it has ended. */
  readonly waiting: (() => void)[];
  size: number;
  running: number;
}

/**
 * Knows what goes on after the requests that began it. Runtimes end that when the answer is out, in the middle of
 * whatever it does: what it holds would be held for ever. Nobody can tell whose work it is, so that a request waits for
 * all that began since it did, in batches: were it each by itself, many requests at once would wait for each other's.
 */
export class Background {
  #batch = newBatch(0);
  readonly #unsettled = new Set<Batch>();

  /** Counts this in until it ends, one way or the other. */
  readonly add = (work: Promise<unknown>): void => {
    const batch = this.#batch;
    this.#unsettled.add(batch);
    batch.running++;
    if (++batch.size >= BATCH_SIZE) this.#batch = newBatch(batch.number + 1);
    const ended = () => {
      if (--batch.running > 0) return;
      this.#unsettled.delete(batch);
      for (const settled of batch.waiting) settled();
      if (this.#batch === batch) this.#batch = newBatch(batch.number + 1);
    };
    work.then(ended, ended);
  };

  /** Begins a request; what it gives resolves when all has ended that went on since, and goes on now. */
  begin(): () => Promise<void> {
    const { number } = this.#batch;
    return () => this.#settled(number);
  }

  async #settled(since: number): Promise<void> {
    const own = [...this.#unsettled].filter(({ number }) => number >= since);
    if (own.length === 0) return;
    const until = Date.now() + LIMIT_MILLISECONDS;
    await Promise.all(own.map(({ waiting }) => {
      const { opened, open } = gate(until);
      waiting.push(open);
      return opened;
    }));
  }
}

function newBatch(number: number): Batch {
  return { number, waiting: [], size: 0, running: 0 };
}
