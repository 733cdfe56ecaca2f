import type { DescService } from "@bufbuild/protobuf";
import type { CheckedPlugin } from "./check.ts";
import type { Clock } from "./clock.ts";
import type { Container } from "./container.ts";
import { type Contract, providerOf } from "./contract.ts";
import { guardHost } from "./host_part.ts";
import type { OwnedJob } from "./jobs.ts";
import type { Logger } from "./log.ts";
import { effectOf, type Operation, operationsOf, rolesOf } from "./operation.ts";
import type { FetchHandler, Plugin, Setup } from "./plugin.ts";
import { database } from "./storage/database.ts";

/** What plugins set up, until the kernel freezes it. */
export interface Assembly {
  readonly container: Container;
  readonly operations: Operation[];
  readonly routes: Map<string, FetchHandler>;
  readonly jobs: OwnedJob[];
  readonly problems: string[];
}

/** Sets one plugin up. What it does wrong becomes a problem, so that all problems are told at once. */
export async function setUpPlugin(
  { use: { plugin, openHost }, config }: CheckedPlugin,
  assembly: Assembly,
  clock: Clock,
  log: Logger,
): Promise<void> {
  const { manifest: { name, services, tables } } = plugin;
  const served = new Set<string>();
  const setup: Setup<unknown, Record<string, Contract<unknown>>, unknown> = {
    db: () => database({ owner: name, tables: new Set(tables) }),
    config,
    deps: dependencies(plugin, assembly.container),
    host: openHost === undefined ? undefined : guardHost(name, openHost(config)),
    log: log.with({ plugin: name }),
    clock,
    serve(service, handlers) {
      served.add(service.name);
      assembly.problems.push(...serviceFaults(name, services, service, handlers));
      assembly.operations.push(...operationsOf(service, handlers, name));
    },
    provide(contract, implementation) {
      if (providerOf(contract) !== name) {
        assembly.problems.push(`plugin "${name}" provides contract "${contract.id}", which is not its own`);
      } else assembly.container.provide(contract, implementation);
    },
    contribute: (point, contribution) => assembly.container.contribute(point, contribution),
    contributions: (point) => assembly.container.contributions(point),
    route(path, handler) {
      if (assembly.routes.has(path)) assembly.problems.push(`plugin "${name}": the route ${path} is taken already`);
      assembly.routes.set(path, handler);
    },
    every: (job) => void assembly.jobs.push({ ...job, owner: name }),
  };
  try {
    await plugin.setup(setup);
  } catch (error) {
    assembly.problems.push(`plugin "${name}" cannot be set up: ${error instanceof Error ? error.message : error}`);
    return;
  }
  for (const service of services) {
    if (!served.has(service)) {
      assembly.problems.push(`plugin "${name}" lists the service "${service}" and does not serve it`);
    }
  }
}

function dependencies(plugin: Plugin, container: Container): Record<string, never> {
  const entries = Object.entries(plugin.requires ?? {});
  return Object.fromEntries(entries.map(([name, contract]) => [name, container.resolve(contract) as never]));
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
    if (typeof handlers[method.localName] !== "function") methodFaults.push(`${at} has no handler`);
    return methodFaults;
  });
  if (!listed.includes(service.name)) faults.push(`the service ${service.name} is not listed in plugin.json`);
  return faults.map((fault) => `plugin "${plugin}": ${fault}`);
}
