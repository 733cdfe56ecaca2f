import { AsyncLocalStorage } from "node:async_hooks";
import { sep } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { errorText, type Logger } from "../../base/log.ts";

/** The number of errors that are logged per minute. A timer that always throws must not fill the disk. */
const LOGGED_PER_MINUTE = 100;
const MINUTE = 60_000;

/** The owner of an error that no plugin is known to have caused. */
export const UNATTRIBUTED = "unattributed";

/** Finds the plugin that caused an error: by the context in which it was thrown, or by the files in its stack. */
export class Attribution {
  readonly #context = new AsyncLocalStorage<string>();
  readonly #thrownBy = new WeakMap<object, string>();
  readonly #folders: readonly (readonly [prefix: string, plugin: string])[];

  /** @param folders the folders of the plugins with their names */
  constructor(folders: Iterable<readonly [folder: string, plugin: string]>) {
    this.#folders = [...folders].map(([folder, plugin]) => [pathToFileURL(folder + sep).href, plugin]);
  }

  /** Runs work of a plugin. What it starts, such as timers and promises, belongs to the plugin, too. */
  readonly run = <Result>(plugin: string, work: () => Result): Result =>
    this.#context.run(plugin, () => {
      try {
        return work();
      } catch (error) {
        if (typeof error === "object" && error !== null) this.#thrownBy.set(error, plugin);
        throw error;
      }
    });

  /** Returns the plugin that caused an error; call it where the error is caught. */
  pluginOf(error: unknown): string | undefined {
    const known = typeof error === "object" && error !== null ? this.#thrownBy.get(error) : undefined;
    return known ?? this.#context.getStore() ?? this.#byStack(error);
  }

  #byStack(error: unknown): string | undefined {
    for (const line of errorText(error).split("\n")) {
      const own = this.#folders.find(([prefix]) => line.includes(prefix));
      if (own !== undefined) return own[1];
    }
    return undefined;
  }
}

export interface UncaughtDeps {
  readonly attribution: Attribution;
  readonly log: Logger;
  /** Counts an error of a plugin, or of {@link UNATTRIBUTED}. */
  readonly count: (owner: string) => void;
}

/**
 * Logs and counts the errors that nothing catches, in timers, events and promises, and keeps the process running.
 *
 * @returns a function that ends this
 */
export function surviveUncaught({ attribution, log, count }: UncaughtDeps): () => void {
  let minute = 0;
  let logged = 0;
  const survive = (message: string) => (error: unknown) => {
    const plugin = attribution.pluginOf(error);
    count(plugin ?? UNATTRIBUTED);
    const now = Math.floor(performance.now() / MINUTE);
    if (now !== minute) [minute, logged] = [now, 0];
    if (++logged > LOGGED_PER_MINUTE) return;
    log.error(message, { plugin: plugin ?? UNATTRIBUTED, error: errorText(error) });
    if (logged === LOGGED_PER_MINUTE) log.error("uncaught errors are only counted for the rest of this minute");
  };
  const onException = survive("uncaught error");
  const onRejection = survive("unhandled promise rejection");
  process.on("uncaughtException", onException);
  process.on("unhandledRejection", onRejection);
  return () => {
    process.off("uncaughtException", onException);
    process.off("unhandledRejection", onRejection);
  };
}
