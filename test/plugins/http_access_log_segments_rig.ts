import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "edgehelm";
import { type TestKernel, testKernel } from "edgehelm/testing";
import type { SegmentOptions } from "../../plugins/http_access_log/host/segments/messages.ts";
import { SegmentStore } from "../../plugins/http_access_log/host/segments/segment_store.ts";

/** A store of segments in a directory of its own, which can be closed and opened again. */
export class SegmentRig implements AsyncDisposable {
  readonly directory: string;
  readonly options: Partial<SegmentOptions>;
  store: SegmentStore;
  readonly #kernel: TestKernel;

  private constructor(directory: string, options: Partial<SegmentOptions>, kernel: TestKernel) {
    this.directory = directory;
    this.options = options;
    this.#kernel = kernel;
    this.store = new SegmentStore({ ...options, directory });
  }

  static async open(options: Partial<SegmentOptions> = {}): Promise<SegmentRig> {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-logs-"));
    return new SegmentRig(directory, options, await testKernel({ plugins: [] }));
  }

  call(): Call {
    return this.#kernel.kernel.systemCall("test");
  }

  /** @param between what happens to the files while it is closed */
  async reopen(between: () => Promise<void> | void = () => {}): Promise<void> {
    await this.store.close();
    await between();
    this.store = new SegmentStore({ ...this.options, directory: this.directory });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.#kernel[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}
