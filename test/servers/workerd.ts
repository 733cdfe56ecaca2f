import { readFileSync } from "node:fs";
import process from "node:process";
import type { Readable } from "node:stream";
import { COMPATIBILITY_DATE } from "../../core/host/bundle/edge_files.ts";
import { loadMiniflare, type Miniflare } from "./miniflare_package.ts";

/** Cloudflare's runtime with one worker, on a free port. */
export class Workerd implements AsyncDisposable {
  readonly url: string;
  readonly #miniflare: Miniflare;

  private constructor(url: string, miniflare: Miniflare) {
    this.url = url;
    this.#miniflare = miniflare;
  }

  /**
   * Starts a worker.
   *
   * @param bundle the path of its bundled module
   * @param variables its environment variables
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

  /** Sends a cron event and returns its outcome. */
  async scheduled(): Promise<string> {
    const worker = await this.#miniflare.getWorker();
    return (await worker.scheduled({ cron: "* * * * *" })).outcome;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#miniflare.dispose();
  }
}

/** Discards the log of the worker and prints the errors of the runtime. */
function handleRuntimeStdio(stdout: Readable, stderr: Readable): void {
  stdout.resume();
  stderr.on("data", (chunk) => process.stderr.write(chunk));
}
