import { errorText, type Logger } from "../base/log.ts";
import type { Timers } from "../base/clock.ts";
import { limited } from "../base/limited.ts";
import type { Operation } from "../calls/operation.ts";
import type { OwnedJob } from "../jobs/jobs.ts";
import type { FetchHandler, Plugin, Receiver } from "../plugin_api/plugin.ts";
import type { PluginManifest } from "../plugin_api/plugin_manifest.ts";
import type { RunAs } from "../plugin_api/run_as.ts";
import type { Degradation } from "./degradation.ts";
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
  readonly closers: OwnedCloser[];
  /** The plugins of routes and receivers, by path. */
  readonly pathOwners: Map<string, string>;
  readonly degradation: Degradation;
  readonly startLimit: StartLimit;
  readonly errors: string[];
  readonly runAs: RunAs;
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

export interface OwnedCloser {
  readonly owner: string;
  readonly close: Closer;
}

/** The time limit of each step of the start of a plugin. */
export interface StartLimit {
  readonly milliseconds: number;
  readonly timers: Timers;
}

/** The time that a plugin that does not run has to close what it opened. */
const CLOSE_MILLISECONDS = 1000;

/** Runs a step of the start of a plugin within its time limit. */
export async function startStep(
  { runAs, startLimit: { milliseconds, timers } }: Registrations,
  plugin: string,
  step: () => void | Promise<void>,
): Promise<void> {
  await limited(
    runAs(plugin, step),
    milliseconds,
    timers,
    () => new Error(`it took more than ${milliseconds / 1000} s`),
  );
}

/** Runs the start functions of plugins in the order of their setup, if there were no errors until now. */
export async function startAll(registrations: Registrations, plugins: readonly Plugin[], log: Logger): Promise<void> {
  const { starters, errors, degradation } = registrations;
  if (errors.length > 0) return;
  for (const { owner, start } of [...starters]) {
    if (degradation.has(owner)) continue;
    try {
      await startStep(registrations, owner, start);
    } catch (error) {
      const plugin = plugins.find(({ manifest }) => manifest.name === owner)!;
      await failSetUp(registrations, plugin, error, log);
      for (const other of degradation.spread(plugins)) await withdraw(registrations, other.manifest, log);
    }
  }
}

/** Takes out a plugin whose set-up failed or, if no plugin may fail, reports the error. */
export async function failSetUp(
  registrations: Registrations,
  { manifest }: Plugin,
  error: unknown,
  log: Logger,
): Promise<void> {
  const text = setupError(manifest.name, error);
  if (!registrations.degradation.isAllowed) return void registrations.errors.push(text);
  registrations.degradation.fail(manifest, `${text}\n${errorText(error)}`);
  await withdraw(registrations, manifest, log);
}

/** Removes everything that a plugin registered. */
async function withdraw(registrations: Registrations, { name, contributes = [] }: PluginManifest, log: Logger) {
  const { container, operations, jobs, starters, closers, routes, receivers, pathOwners } = registrations;
  container.withdraw(name, contributes);
  removeWhere(operations, ({ plugin }) => plugin === name);
  for (const list of [jobs, starters]) removeWhere<{ readonly owner: string }>(list, ({ owner }) => owner === name);
  for (const [path, owner] of pathOwners) {
    if (owner !== name) continue;
    routes.delete(path);
    receivers.delete(path);
  }
  const own = closers.filter(({ owner }) => owner === name);
  removeWhere(closers, ({ owner }) => owner === name);
  await closeAll(own, CLOSE_MILLISECONDS, log);
}

function removeWhere<Item>(list: Item[], matches: (item: Item) => boolean): void {
  for (let index = list.length - 1; index >= 0; index--) if (matches(list[index]!)) list.splice(index, 1);
}

export function setupError(plugin: string, error: unknown): string {
  return `plugin "${plugin}" failed to set up: ${error instanceof Error ? error.message : error}`;
}

/** Runs the close functions of plugins in reverse order. An error does not prevent the others from running. */
export async function closeAll(closers: readonly OwnedCloser[], limitMilliseconds: number, log: Logger): Promise<void> {
  for (const { close } of closers.toReversed()) {
    try {
      await close(limitMilliseconds);
    } catch (error) {
      log.error("plugin stop failed", { error: errorText(error) });
    }
  }
}
