import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Call } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import type { SegmentOptions } from "../../../plugins/access_log_segments/host/workers/messages.ts";
import { systemClock } from "../../../core/base/clock.ts";
import { createLogger, type Logger } from "../../../core/base/log.ts";
import type { LogFilter, LogPage } from "../../../plugins/http_access_log/contract/log_store.ts";
import { type StartWorker, startWorker } from "../../../plugins/access_log_segments/host/workers/worker_client.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";
import { crashBatch } from "./batches.ts";
import { type SegmentDeps, SegmentStore } from "../../../plugins/access_log_segments/host/segment_store.ts";

/** Dependencies with a silent log. */
export const QUIET: SegmentDeps = {
  clock: systemClock,
  log: createLogger({ level: "silent", write: () => {}, clock: systemClock }),
};

/** A segment store in a temporary directory, which can be reopened. */
export class SegmentRig implements AsyncDisposable {
  readonly directory: string;
  readonly options: Partial<SegmentOptions>;
  /** Lines of the log. */
  readonly log: string[] = [];
  /** The worker threads of all opened stores, in the same order for each store. */
  readonly workers: Worker[] = [];
  store: SegmentStore;
  readonly #kernel: TestKernel;

  private constructor(directory: string, options: Partial<SegmentOptions>, kernel: TestKernel) {
    this.directory = directory;
    this.options = options;
    this.#kernel = kernel;
    this.store = this.#open();
  }

  /** @param directory deleted at the end; the default is a new temporary directory */
  static async open(options: Partial<SegmentOptions> = {}, directory?: string): Promise<SegmentRig> {
    const own = directory ?? await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
    return new SegmentRig(own, options, await testKernel({ plugins: [], clock: systemClock }));
  }

  call(): Call {
    return this.#kernel.kernel.systemCall("test");
  }

  /** @param between runs while the store is closed */
  async reopen(between: () => Promise<void> | void = () => {}): Promise<void> {
    await this.store.close();
    await between();
    this.store = this.#open();
  }

  #open(): SegmentStore {
    const log: Logger = createLogger({ level: "info", write: (line) => void this.log.push(line), clock: systemClock });
    const startRecorded: StartWorker = (module) => {
      const worker = startWorker(module);
      this.workers.push(worker);
      return worker;
    };
    return new SegmentStore(
      { ...this.options, directory: this.directory },
      { clock: systemClock, log, startWorker: startRecorded },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.#kernel[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}

const PAGE: LogPage = { cursor: "", oldestFirst: false, size: 1000, withBodies: false };

/** Returns the request ids that match a filter, reading page by page. */
export async function idsOf(rig: SegmentRig, filter: LogFilter = wholeDay(), page: Partial<LogPage> = {}, call?: Call) {
  const ids: string[] = [];
  for (let cursor = "";;) {
    const current = { ...PAGE, ...page, cursor };
    const { entries, stoppedAt } = await rig.store.list(call ?? rig.call(), filter, current);
    ids.push(...entries.map(({ requestId }) => requestId));
    if (stoppedAt === undefined && entries.length < current.size) return ids;
    const next: string = stoppedAt ?? entries.at(-1)!.requestId;
    if (next === cursor) throw new Error(`the search makes no progress after ${cursor}`);
    cursor = next;
  }
}

/** Appends the batches from `from` to before `to`. */
export async function append(rig: SegmentRig, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) await rig.store.append(rig.call(), crashBatch(number));
}

/** Returns the request ids of batches in the order of a list. */
export function idsOfBatches(from: number, to: number): string[] {
  const ids: string[] = [];
  for (let number = from; number < to; number++) ids.push(...crashBatch(number).map(({ requestId }) => requestId));
  return ids.sort().reverse();
}
