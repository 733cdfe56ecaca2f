import { gate } from "../base/gate.ts";

/** The maximum wait for background work. It exceeds the duration of any such work. */
const MAX_WAIT_MILLISECONDS = 25_000;
/** With more batches each request awaits more of them; with larger batches it waits longer. */
const BATCH_SIZE = 256;

interface Batch {
  readonly number: number;
  /** Called when all work of the batch has ended. */
  readonly onSettled: (() => void)[];
  size: number;
  running: number;
}

/**
 * Tracks work that outlives the request that started it. Edge runtimes cancel such work after the response unless the
 * request awaits it, and a lock that it holds would never be released. The request that started a piece of work is not
 * known, so each request awaits all work started after the request began. The work is counted in batches, because with
 * many concurrent requests each would otherwise await the individual work of all the others.
 */
export class Background {
  #batch = newBatch(0);
  readonly #unsettled = new Set<Batch>();

  /** Tracks work until it settles. */
  readonly add = (work: Promise<unknown>): void => {
    const batch = this.#batch;
    this.#unsettled.add(batch);
    batch.running++;
    if (++batch.size >= BATCH_SIZE) this.#batch = newBatch(batch.number + 1);
    const ended = () => {
      if (--batch.running > 0) return;
      this.#unsettled.delete(batch);
      for (const notify of batch.onSettled) notify();
      if (this.#batch === batch) this.#batch = newBatch(batch.number + 1);
    };
    work.then(ended, ended);
  };

  /**
   * Begins a request.
   *
   * @returns a function whose promise resolves when all work started since has settled
   */
  begin(): () => Promise<void> {
    const { number } = this.#batch;
    return () => this.#settled(number);
  }

  async #settled(since: number): Promise<void> {
    const batches = [...this.#unsettled].filter(({ number }) => number >= since);
    if (batches.length === 0) return;
    const until = Date.now() + MAX_WAIT_MILLISECONDS;
    await Promise.all(batches.map(({ onSettled }) => {
      const { opened, open } = gate(until);
      onSettled.push(open);
      return opened;
    }));
  }
}

function newBatch(number: number): Batch {
  return { number, onSettled: [], size: 0, running: 0 };
}
