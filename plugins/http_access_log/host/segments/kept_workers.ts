import type { Logger } from "edgehelm";
import { SegmentWorkers, type SegmentWorkersDeps } from "./segment_workers.ts";
import { unavailable } from "./worker_client.ts";

const SHORTEST_PAUSE = 100;
const MAX_PAUSE = 30_000;
/** Milliseconds after which workers that run count as sound. */
const SOUND_AFTER = 60_000;

/** Opens the workers of a store again when one of them ends: they have nothing that is not in the files. */
export class KeptWorkers {
  readonly #deps: Omit<SegmentWorkersDeps, "end">;
  readonly #log: Logger;
  #workers: SegmentWorkers | undefined;
  #openedAt = 0;
  #pause = SHORTEST_PAUSE;
  #ending: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(deps: Omit<SegmentWorkersDeps, "end">, log: Logger) {
    this.#deps = deps;
    this.#log = log;
    this.#open();
  }

  /** @throws "unavailable" while there are none */
  async ready(): Promise<SegmentWorkers> {
    const workers = this.#workers;
    if (workers === undefined) throw unavailable();
    await workers.opened;
    return workers;
  }

  /** Ends them. What was acknowledged is in the files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const workers = this.#workers;
    await workers?.opened.then(() => workers.writer.request({ kind: "close" })).catch(() => {});
    this.#end();
    await this.#ending;
  }

  #open(): void {
    this.#openedAt = performance.now();
    const workers = this.#workers = new SegmentWorkers({
      ...this.#deps,
      end: (reason) => workers === this.#workers && this.#restart(reason),
    });
  }

  #restart(reason: string): void {
    this.#end();
    if (this.#isClosed) return;
    if (performance.now() - this.#openedAt > SOUND_AFTER) this.#pause = SHORTEST_PAUSE;
    this.#log.error("the access logs have no workers, and are opened again", { reason, milliseconds: this.#pause });
    // two that write one journal must never be there at once
    void this.#ending.then(() => {
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.#open(), this.#pause).unref();
      this.#pause = Math.min(this.#pause * 2, MAX_PAUSE);
    });
  }

  #end(): void {
    const workers = this.#workers;
    this.#workers = undefined;
    if (workers !== undefined) this.#ending = workers.close();
  }
}
