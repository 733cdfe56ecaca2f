import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import type { SegmentOptions } from "../../plugins/http_access_log/host/segments/messages.ts";
import { systemClock } from "../../core/clock.ts";
import { createLogger, type Logger } from "../../core/log.ts";
import { SegmentStore, type SegmentSurroundings } from "../../plugins/http_access_log/host/segments/segment_store.ts";

/** Without a word in the log. */
export const QUIET: SegmentSurroundings = {
  clock: systemClock,
  log: createLogger({ level: "silent", write: () => {}, clock: systemClock }),
};

/** A store of segments in a directory of its own, which can be closed and opened again. */
export class SegmentRig implements AsyncDisposable {
  readonly directory: string;
  readonly options: Partial<SegmentOptions>;
  /** Lines of the log. */
  readonly log: string[] = [];
  store: SegmentStore;
  readonly #kernel: TestKernel;

  private constructor(directory: string, options: Partial<SegmentOptions>, kernel: TestKernel) {
    this.directory = directory;
    this.options = options;
    this.#kernel = kernel;
    this.store = this.#open();
  }

  /** @param directory removed at the end; a new one unless told */
  static async open(options: Partial<SegmentOptions> = {}, directory?: string): Promise<SegmentRig> {
    const own = directory ?? await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
    return new SegmentRig(own, options, await testKernel({ plugins: [], clock: systemClock }));
  }

  call(): Call {
    return this.#kernel.kernel.systemCall("test");
  }

  /** @param between what happens to the files while it is closed */
  async reopen(between: () => Promise<void> | void = () => {}): Promise<void> {
    await this.store.close();
    await between();
    this.store = this.#open();
  }

  #open(): SegmentStore {
    const log: Logger = createLogger({ level: "info", write: (line) => void this.log.push(line), clock: systemClock });
    return new SegmentStore({ ...this.options, directory: this.directory }, { clock: systemClock, log });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.#kernel[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}
