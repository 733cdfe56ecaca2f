import { errorText, type Logger } from "../base/log.ts";
import type { Operation } from "../calls/operation.ts";
import type { OwnedJob } from "../jobs/jobs.ts";
import type { FetchHandler, Receiver } from "../plugin_api/plugin.ts";
import type { Container } from "./container.ts";

/** Everything that plugins register during setup. */
export interface Registrations {
  readonly container: Container;
  readonly operations: Operation[];
  readonly routes: Map<string, FetchHandler>;
  readonly receivers: Map<string, Receiver>;
  readonly jobs: OwnedJob[];
  /** The functions that run when all plugins are set up. */
  readonly starters: Starter[];
  /** The functions that run when the installation stops. */
  readonly closers: Closer[];
  readonly errors: string[];
  /** The maximum nesting of arrays and objects in the JSON of a request. */
  readonly jsonDepth: number;
}

/** Starts a part of a plugin. */
export interface Starter {
  readonly owner: string;
  readonly start: () => void | Promise<void>;
}

/** Closes a part of a plugin within a time limit. */
export type Closer = (limitMilliseconds: number) => Promise<void>;

/** Runs the start functions of plugins in the order of their setup, if there were no errors until now. */
export async function startAll({ starters, errors }: Registrations): Promise<void> {
  if (errors.length > 0) return;
  for (const { owner, start } of starters) {
    try {
      await start();
    } catch (error) {
      errors.push(setupError(owner, error));
    }
  }
}

export function setupError(plugin: string, error: unknown): string {
  return `plugin "${plugin}" failed to set up: ${error instanceof Error ? error.message : error}`;
}

/** Runs the close functions of plugins in reverse order. An error does not prevent the others from running. */
export async function closeAll(closers: readonly Closer[], limitMilliseconds: number, log: Logger): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close(limitMilliseconds);
    } catch (error) {
      log.error("plugin stop failed", { error: errorText(error) });
    }
  }
}
