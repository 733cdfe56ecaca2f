import type { Logger } from "edgehelm";
import { SegmentWorkers, type SegmentWorkersDeps } from "./segment_workers.ts";
import { unavailable } from "./worker_client.ts";

const MIN_DELAY = 100;
const MAX_DELAY = 30_000;
/** The number of milliseconds after which running workers count as healthy. */
const HEALTHY_AFTER = 60_000;

/** Restarts the workers of a store when one of them ends. All acknowledged state is in the files. */
export class WorkerSupervisor {
  readonly #deps: Omit<SegmentWorkersDeps, "end">;
  readonly #log: Logger;
  #workers: SegmentWorkers | undefined;
  #openedAt = 0;
  #delay = MIN_DELAY;
  #ending: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(deps: Omit<SegmentWorkersDeps, "end">, log: Logger) {
    this.#deps = deps;
    this.#log = log;
    this.#open();
  }

  /** @throws RpcError unavailable while the workers are restarting */
  async ready(): Promise<SegmentWorkers> {
    const workers = this.#workers;
    if (workers === undefined) throw unavailable();
    await workers.opened;
    return workers;
  }

  /** Stops the workers; acknowledged logs are on disk. */
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
    if (performance.now() - this.#openedAt > HEALTHY_AFTER) this.#delay = MIN_DELAY;
    this.#log.error("access log workers ended, restart scheduled", { reason, milliseconds: this.#delay });
    // two writers must never use the same journal
    void this.#ending.then(() => {
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.#open(), this.#delay).unref();
      this.#delay = Math.min(this.#delay * 2, MAX_DELAY);
    });
  }

  #end(): void {
    const workers = this.#workers;
    this.#workers = undefined;
    if (workers !== undefined) this.#ending = workers.close();
  }
}
