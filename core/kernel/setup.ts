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
import type { FetchHandler, Plugin, Setup } from "../plugin_api/plugin.ts";
import { database } from "../storage/database.ts";

/** About the longest that a timer can wait. */
const MAX_SECONDS = 24 * 86_400;

/** What plugins set up, until the kernel freezes it. */
export interface Registrations {
  readonly container: Container;
  readonly operations: Operation[];
  readonly routes: Map<string, FetchHandler>;
  readonly jobs: OwnedJob[];
  /** What runs when the installation stops. */
  readonly closers: (() => Promise<void>)[];
  readonly problems: string[];
  /** How deep the JSON of a request may nest. */
  readonly jsonDepth: number;
}

/** What all plugins of an installation share. */
export interface SharedServices {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whether other instances may stand on the same database. */
  readonly isShared: boolean;
}

/** Sets one plugin up. What it does wrong becomes a problem, so that all problems are told at once. */
export async function setUpPlugin(
  { use: { plugin, openHost }, config }: CheckedPlugin,
  assembly: Registrations,
  { clock, log, metrics, isShared }: SharedServices,
): Promise<void> {
  const { manifest: { name, services, tables } } = plugin;
  const served = new Set<string>();
  const jobNames = new Set<string>();
  const problem = (fault: string) => void assembly.problems.push(`plugin "${name}" ${fault}`);
  let isFrozen = false;
  function requireOpen(what: string): void {
    if (isFrozen) throw new Error(`plugin "${name}" calls ${what} after its setup`);
  }
  const setup = (host: unknown): Setup<unknown, Record<string, Contract<unknown>>, unknown> => ({
    db: () => database({ owner: name, tables: new Set(tables) }),
    config,
    deps: dependencies(plugin, assembly.container, problem),
    host,
    log: log.with({ plugin: name }),
    clock,
    metrics: metrics.ofPlugin(name),
    isShared,
    serve(service, handlers) {
      requireOpen("serve");
      if (served.has(service.name)) problem(`serves the service ${service.name} twice`);
      served.add(service.name);
      const faults = serviceFaults(name, services, service, handlers);
      if (faults.length > 0) assembly.problems.push(...faults);
      else assembly.operations.push(...operationsOf(service, handlers, name, assembly.jsonDepth));
    },
    provide(contract, implementation) {
      requireOpen("provide");
      if (providerOf(contract) !== name) problem(`provides contract "${contract.id}", which is not its own`);
      else assembly.container.provide(contract, implementation);
    },
    contribute(point, contribution) {
      requireOpen("contribute");
      assembly.container.contribute(point, contribution);
    },
    contributions: (point) => assembly.container.contributions(point),
    route(path, handler) {
      requireOpen("route");
      if (assembly.routes.has(path)) problem(`serves the route ${path}, which is taken already`);
      assembly.routes.set(path, handler);
    },
    every(job) {
      requireOpen("every");
      const { everySeconds } = job;
      if (jobNames.has(job.name)) problem(`has two jobs "${job.name}"`);
      jobNames.add(job.name);
      if (!(everySeconds > 0 && everySeconds <= MAX_SECONDS)) {
        problem(`runs the job "${job.name}" every ${everySeconds} seconds: allowed are more than 0 to ${MAX_SECONDS}`);
      }
      assembly.jobs.push({ ...job, owner: name });
    },
    onStop(close) {
      requireOpen("onStop");
      assembly.closers.push(close);
    },
  });
  try {
    const host = openHost === undefined ? undefined : guardHost(name, openHost(config));
    await plugin.setup(setup(host));
  } catch (error) {
    assembly.problems.push(`plugin "${name}" cannot be set up: ${error instanceof Error ? error.message : error}`);
    return;
  } finally {
    isFrozen = true;
  }
  for (const service of services) {
    if (!served.has(service)) problem(`lists the service "${service}" and does not serve it`);
  }
}

function dependencies(
  plugin: Plugin,
  container: Container,
  problem: (fault: string) => void,
): Record<string, never> {
  const entries = Object.entries(plugin.requires ?? {});
  return Object.fromEntries(entries.map(([name, contract]) => {
    if (!contract.optional && !container.provides(contract)) {
      problem(`requires contract "${contract.id}", which plugin "${providerOf(contract)}" does not provide`);
    }
    return [name, container.resolve(contract) as never];
  }));
}

function serviceFaults(
  plugin: string,
  listed: readonly string[],
  service: DescService,
  handlers: Readonly<Record<string, unknown>>,
): string[] {
  const faults = service.methods.flatMap((method) => {
    const at = `${service.name}.${method.name}`;
    const methodFaults: string[] = [];
    if (rolesOf(method).length === 0) methodFaults.push(`${at} names no role that may call it (edgehelm.allow)`);
    const effect = effectOf(method);
    if (effect === undefined) methodFaults.push(`${at} declares no effect (edgehelm.allow)`);
    else if (method.methodKind !== "unary" && effect !== "external") {
      methodFaults.push(`${at} is a stream and must declare the effect EXTERNAL`);
    }
    const handler = handlers[method.localName];
    if (typeof handler !== "function") methodFaults.push(`${at} has no handler`);
    else if (isEncoded(handler) && method.methodKind !== "unary") {
      methodFaults.push(`${at} is a stream and cannot have an encoded handler`);
    }
    return methodFaults;
  });
  if (!listed.includes(service.name)) faults.push(`the service ${service.name} is not listed in plugin.json`);
  return faults.map((fault) => `plugin "${plugin}": ${fault}`);
}

/** Closes what plugins opened, the last first. What fails keeps nothing else from being closed. */
export async function closeAll(closers: readonly (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error("a plugin did not stop well", { error: errorText(error) });
    }
  }
}
