import { readFileSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import { COMPATIBILITY_DATE } from "../../core/host/bundle/edge_files.ts";
import { loadMiniflare, type Miniflare } from "./miniflare_package.ts";

/** Cloudflare's runtime with one worker, listening on a port that it chose. */
export class Workerd implements AsyncDisposable {
  readonly url: string;
  readonly #miniflare: Miniflare;

  private constructor(url: string, miniflare: Miniflare) {
    this.url = url;
    this.#miniflare = miniflare;
  }

  /**
   * @param bundle the worker: a file of one module
   * @param variables its environment
   */
  static async start(bundle: string, variables: Readonly<Record<string, string>> = {}): Promise<Workerd> {
    const Miniflare = loadMiniflare();
    const miniflare = new Miniflare({
      modules: [{ type: "ESModule", path: "worker.js", contents: readFileSync(bundle, "utf8") }],
      compatibilityDate: COMPATIBILITY_DATE,
      bindings: variables,
      handleRuntimeStdio,
    });
    const { origin } = await miniflare.ready;
    return new Workerd(origin, miniflare);
  }

  /** Sends the event of a cron trigger. */
  async scheduled(): Promise<string> {
    const worker = await this.#miniflare.getWorker();
    return (await worker.scheduled({ cron: "* * * * *" })).outcome;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#miniflare.dispose();
  }
}

/** The worker's own log is not the test's; what the runtime complains of is. */
function handleRuntimeStdio(stdout: Readable, stderr: Readable): void {
  stdout.resume();
  stderr.on("data", (chunk) => process.stderr.write(chunk));
}
