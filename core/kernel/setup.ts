import { checkNewPassword, type Passwords } from "../auth/passwords.ts";
import { CallerStandings } from "../base/caller_standings.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { StartupError } from "../base/startup_error.ts";
import { type Authentication, type AuthenticationOptions, createAuthentication } from "./authentication.ts";
import type { CheckedPlugin } from "./check.ts";
import { Container } from "./container.ts";
import { Inspection, KernelInspection } from "./inspection.ts";
import { Modules, PasswordHashing, passwordHashing, Secrets } from "./kernel_contracts.ts";
import type { MigratedDatabase } from "./migrate.ts";
import { modulesOf } from "./modules.ts";
import { setUpPlugin } from "./plugin_setup.ts";
import { closeAll, type Registrations, startAll } from "./registrations.ts";
import { ServedApi, servedApi } from "./served/served_api.ts";
import type { SystemCalls } from "./system_calls.ts";

/** The time that each plugin has to close when the setup of another one failed. */
const CLOSE_MILLISECONDS = 1000;

export interface SetupOptions extends AuthenticationOptions {
  readonly passwords: Passwords;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** The registrations of all plugins, and the parts of the kernel that check credentials. */
export interface SetUpPlugins {
  readonly registrations: Registrations;
  readonly authentication: Authentication;
  readonly inspection: KernelInspection;
}

/**
 * The third phase of a boot: provides the contracts of the kernel, then sets the plugins up, providers first.
 *
 * @throws StartupError with the errors of all plugins
 */
export async function setUpPlugins(
  plugins: readonly CheckedPlugin[],
  calls: SystemCalls,
  { db, rotation }: MigratedDatabase,
  options: SetupOptions,
): Promise<SetUpPlugins> {
  const { engine, clock, timers, log, metrics, limits } = options;
  const container = new Container();
  const authentication = createAuthentication(db, calls, container, rotation, options);
  container.provide(PasswordHashing, passwordHashing(options.passwords, checkNewPassword));
  container.provide(Secrets, rotation.ring);
  container.provide(Modules, modulesOf(plugins.map(({ use }) => use.plugin.manifest)));
  const registrations: Registrations = {
    container,
    operations: [],
    routes: new Map(),
    receivers: new Map(),
    jobs: [],
    starters: [],
    closers: [],
    errors: [],
    jsonDepth: limits.jsonDepth,
  };
  container.provide(
    ServedApi,
    servedApi(plugins.map(({ use }) => use.plugin), registrations.operations, container.contributions(CallerStandings)),
  );
  const inspection = new KernelInspection(plugins, registrations.operations);
  container.provide(Inspection, inspection);
  const shared = { clock, timers, log, metrics, systemCall: calls.system, isShared: engine.shared };
  for (const plugin of plugins) await setUpPlugin(plugin, registrations, shared);
  await startAll(registrations);
  if (registrations.errors.length > 0) {
    await closeAll(registrations.closers, CLOSE_MILLISECONDS, log);
    throw new StartupError(registrations.errors);
  }
  return { registrations, authentication, inspection };
}
