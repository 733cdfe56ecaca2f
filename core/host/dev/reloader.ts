import { StartupError } from "../../base/startup_error.ts";
import { errorMessage } from "../settings/files.ts";

export interface ReloaderDeps {
  /** Puts the changed files into service. */
  readonly reload: (paths: readonly string[]) => Promise<void>;
  readonly reloaded: (paths: readonly string[], milliseconds: number) => void;
  /** Called with the reason why what served before still does. */
  readonly failed: (error: unknown) => void;
}

/** Reloads one change after the other. Changes that come during a reload are the next one. */
export class Reloader {
  readonly #deps: ReloaderDeps;
  /** The files that changed since the last reload that succeeded. */
  #pending = new Set<string>();
  #isDue = false;
  #running: Promise<void> | undefined;
  #isEnded = false;

  constructor(deps: ReloaderDeps) {
    this.#deps = deps;
  }

  changed(paths: readonly string[]): void {
    for (const path of paths) this.#pending.add(path);
    this.#isDue = true;
    this.#running ??= this.#run().finally(() => this.#running = undefined);
  }

  /** Waits for a reload that runs, and begins no other. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isDue && !this.#isEnded) {
      this.#isDue = false;
      const paths = [...this.#pending];
      // a file that changes again during the reload is changed for the next one
      this.#pending = new Set();
      const start = performance.now();
      try {
        await this.#deps.reload(paths);
        this.#deps.reloaded(paths, performance.now() - start);
      } catch (error) {
        for (const path of paths) this.#pending.add(path);
        this.#deps.failed(error);
      }
    }
  }
}

/** The text of an error that ends a reload. */
export function reloadErrorText(error: unknown): string {
  return error instanceof StartupError ? error.errors.join("\n") : errorMessage(error);
}
