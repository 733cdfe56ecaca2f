import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import { type Contract, providerOf } from "../base/contract.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { guardHost } from "../plugin_api/host_part.ts";
import { derivedOf, type Plugin, type Setup, smallTablesOf, tablesOf } from "../plugin_api/plugin.ts";
import type { RunAs } from "../plugin_api/run_as.ts";
import { database } from "../storage/database.ts";
import type { SqlStatement, TableScope } from "../storage/engine.ts";
import type { CheckedPlugin } from "./check/check.ts";
import type { Container } from "./container.ts";
import { Registrar } from "./registrar.ts";
import { failSetUp, type Registrations, startStep } from "./registrations.ts";

/** The services that all plugins of an installation share. */
export interface SharedServices {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly systemCall: (name: string, deadline?: number) => Call;
  /** True if other instances may use the same database. */
  readonly isShared: boolean;
  /** Receives the statements that plugins compile. */
  readonly compiled: (statement: SqlStatement) => void;
}

/** Sets up one plugin. Its errors are collected, so that the errors of all plugins are reported together. */
export async function setUpPlugin(
  checked: CheckedPlugin,
  registrations: Registrations,
  shared: SharedServices,
): Promise<void> {
  const { use: { plugin, openHost }, config } = checked;
  const { name } = plugin.manifest;
  const registrar = new Registrar(plugin.manifest, registrations);
  const scope = { owner: name, tables: new Set(tablesOf(plugin)), smallTables: smallTablesOf(plugin) };
  registrar.keep(derivedOf(plugin), scope);
  const { runAs } = registrations;
  const own = { ...shared, timers: timersOf(name, shared.timers, runAs) };
  try {
    await startStep(registrations, name, async () => {
      const host = openHost === undefined ? undefined : guardHost(name, openHost(config));
      await plugin.setup(setupOf(checked, scope, host, registrar, registrations.container, own));
    });
  } catch (error) {
    registrar.close();
    return await failSetUp(registrations, plugin, error, shared.log);
  } finally {
    registrar.close();
  }
  registrar.reportMissingServices();
}

/** Creates the argument of a plugin's setup. */
function setupOf(
  { use: { plugin }, config }: CheckedPlugin,
  scope: TableScope,
  host: unknown,
  registrar: Registrar,
  container: Container,
  { clock, timers, log, metrics, systemCall, isShared, compiled }: SharedServices,
): Setup<unknown, Record<string, Contract<unknown>>, unknown> {
  const { name } = plugin.manifest;
  return {
    db: () => database(scope, compiled),
    config,
    deps: dependencies(plugin, container, (error) => registrar.report(error)),
    host,
    log: log.with({ plugin: name }),
    clock,
    timers,
    metrics: metrics.ofPlugin(name),
    isShared,
    systemCall,
    serve: (service, handlers, options) => registrar.serve(service, handlers, options),
    provide: (contract, implementation) => registrar.provide(contract, implementation),
    contribute: (point, contribution) => registrar.contribute(point, contribution),
    contributions: (point) => container.contributions(point),
    route: (path, handler) => registrar.route(path, handler),
    receive: (path, maxBytes, handler) => registrar.receive(path, { maxBytes, handler }),
    every: (job) => registrar.every(job),
    onStart: (start) => registrar.onStart(start),
    onStop: (close) => registrar.onStop(close),
  };
}

/** Returns timers whose work belongs to the plugin. */
function timersOf(plugin: string, timers: Timers, runAs: RunAs): Timers {
  return { after: (milliseconds, act) => timers.after(milliseconds, () => runAs(plugin, act)) };
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
