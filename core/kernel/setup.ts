import type { DescService } from "@bufbuild/protobuf";
import type { CheckedPlugin } from "./check.ts";
import type { Clock } from "../base/clock.ts";
import type { Container } from "./container.ts";
import { type Contract, providerOf } from "../base/contract.ts";
import { isEncoded } from "../calls/encoded.ts";
import { guardHost } from "../plugin_api/host_part.ts";
import type { OwnedJob } from "../jobs/jobs.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { effectOf, type Operation, operationsOf, rolesOf } from "../calls/operation.ts";
import { derivedOf, type FetchHandler, type Plugin, type Setup, tablesOf } from "../plugin_api/plugin.ts";
import { database } from "../storage/database.ts";

/** The maximum interval of a job. Timers cannot wait longer than about 24.8 days. */
const MAX_SECONDS = 24 * 86_400;
/** The interval of the jobs that index the texts of lists. */
const INDEX_SECONDS = 5;

/** Everything that plugins register during setup. */
export interface Registrations {
  readonly container: Container;
  readonly operations: Operation[];
  readonly routes: Map<string, FetchHandler>;
  readonly jobs: OwnedJob[];
  /** The functions that run when the installation stops. */
  readonly closers: (() => Promise<void>)[];
  readonly errors: string[];
  /** The maximum nesting of arrays and objects in the JSON of a request. */
  readonly jsonDepth: number;
}

/** The services that all plugins of an installation share. */
export interface SharedServices {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** True if other instances may use the same database. */
  readonly isShared: boolean;
}

/** Sets up one plugin. Its errors are collected, so that the errors of all plugins are reported together. */
export async function setUpPlugin(
  { use: { plugin, openHost }, config }: CheckedPlugin,
  registrations: Registrations,
  { clock, log, metrics, isShared }: SharedServices,
): Promise<void> {
  const { manifest: { name, services } } = plugin;
  const scope = { owner: name, tables: new Set(tablesOf(plugin)) };
  const served = new Set<string>();
  const jobNames = new Set<string>();
  const report = (error: string) => void registrations.errors.push(`plugin "${name}" ${error}`);
  for (const { job } of derivedOf(plugin)) {
    if (job === undefined) continue;
    jobNames.add(job.name);
    registrations.jobs.push({
      name: job.name,
      everySeconds: INDEX_SECONDS,
      run: job.run(database(scope)),
      owner: name,
    });
  }
  let isFrozen = false;
  function requireOpen(method: string): void {
    if (isFrozen) throw new Error(`plugin "${name}" calls ${method} after its setup`);
  }
  const setup = (host: unknown): Setup<unknown, Record<string, Contract<unknown>>, unknown> => ({
    db: () => database(scope),
    config,
    deps: dependencies(plugin, registrations.container, report),
    host,
    log: log.with({ plugin: name }),
    clock,
    metrics: metrics.ofPlugin(name),
    isShared,
    serve(service, handlers) {
      requireOpen("serve");
      if (served.has(service.name)) report(`serves the service ${service.name} twice`);
      served.add(service.name);
      const errors = checkService(name, services, service, handlers);
      if (errors.length > 0) registrations.errors.push(...errors);
      else registrations.operations.push(...operationsOf(service, handlers, name, registrations.jsonDepth));
    },
    provide(contract, implementation) {
      requireOpen("provide");
      if (providerOf(contract) !== name) report(`provides contract "${contract.id}", which is not its own`);
      else registrations.container.provide(contract, implementation);
    },
    contribute(point, contribution) {
      requireOpen("contribute");
      registrations.container.contribute(point, contribution);
    },
    contributions: (point) => registrations.container.contributions(point),
    route(path, handler) {
      requireOpen("route");
      if (registrations.routes.has(path)) report(`serves the route ${path}, which is already taken`);
      registrations.routes.set(path, handler);
    },
    every(job) {
      requireOpen("every");
      const { everySeconds } = job;
      if (jobNames.has(job.name)) report(`has two jobs "${job.name}"`);
      jobNames.add(job.name);
      if (!(everySeconds > 0 && everySeconds <= MAX_SECONDS)) {
        report(
          `runs the job "${job.name}" every ${everySeconds} seconds; must be more than 0 and at most ${MAX_SECONDS}`,
        );
      }
      registrations.jobs.push({ ...job, owner: name });
    },
    onStop(close) {
      requireOpen("onStop");
      registrations.closers.push(close);
    },
  });
  try {
    const host = openHost === undefined ? undefined : guardHost(name, openHost(config));
    await plugin.setup(setup(host));
  } catch (error) {
    registrations.errors.push(`plugin "${name}" failed to set up: ${error instanceof Error ? error.message : error}`);
    return;
  } finally {
    isFrozen = true;
  }
  for (const service of services) {
    if (!served.has(service)) report(`lists the service "${service}" but does not serve it`);
  }
}

function dependencies(
  plugin: Plugin,
  container: Container,
  report: (error: string) => void,
): Record<string, never> {
  const entries = Object.entries(plugin.requires ?? {});
  return Object.fromEntries(entries.map(([name, contract]) => {
    if (!contract.optional && !container.provides(contract)) {
      report(`requires contract "${contract.id}", which plugin "${providerOf(contract)}" does not provide`);
    }
    return [name, container.resolve(contract) as never];
  }));
}

function checkService(
  plugin: string,
  listed: readonly string[],
  service: DescService,
  handlers: Readonly<Record<string, unknown>>,
): string[] {
  const errors = service.methods.flatMap((method) => {
    const at = `${service.name}.${method.name}`;
    const methodErrors: string[] = [];
    if (rolesOf(method).length === 0) methodErrors.push(`${at} declares no roles (edgehelm.allow)`);
    const effect = effectOf(method);
    if (effect === undefined) methodErrors.push(`${at} declares no effect (edgehelm.allow)`);
    else if (method.methodKind !== "unary" && effect !== "external") {
      methodErrors.push(`${at} is a stream and must declare the effect EXTERNAL`);
    }
    const handler = handlers[method.localName];
    if (typeof handler !== "function") methodErrors.push(`${at} has no handler`);
    else if (isEncoded(handler) && method.methodKind !== "unary") {
      methodErrors.push(`${at} is a stream and cannot have an encoded handler`);
    }
    return methodErrors;
  });
  if (!listed.includes(service.name)) errors.push(`the service ${service.name} is not listed in plugin.json`);
  return errors.map((error) => `plugin "${plugin}": ${error}`);
}

/** Runs the close functions of plugins in reverse order. An error does not prevent the others from running. */
export async function closeAll(closers: readonly (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error("plugin stop failed", { error: errorText(error) });
    }
  }
}
