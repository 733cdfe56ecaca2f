import { CompiledChanges } from "../storage/compiled_changes.ts";
import { checkNewPassword, type Passwords } from "../auth/passwords.ts";
import { CallerStandings } from "../base/caller_standings.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { StartupError } from "../base/startup_error.ts";
import { type RunAs, runPlain } from "../plugin_api/run_as.ts";
import { type Authentication, type AuthenticationOptions, createAuthentication } from "./authentication.ts";
import { Audit, type AuditSettings, DEFAULT_AUDIT_SETTINGS } from "../calls/audit/audit.ts";
import { AuditCheck } from "../calls/audit/audit_check.ts";
import { AuditList } from "../calls/audit/audit_list.ts";
import { AuditVerification } from "../calls/audit/verification.ts";
import { unixSeconds } from "../base/clock.ts";
import { AuditLog, auditLog } from "./audit_log.ts";
import { Deliveries } from "../events/deliveries.ts";
import { EventLog } from "../events/event_log.ts";
import { EventListeners, Events } from "../events/events.ts";
import { KERNEL_ALARMS } from "./alarms/kernel_alarms.ts";
import type { CheckedPlugin } from "./check/check.ts";
import type { Degradation } from "./degradation.ts";
import { Container } from "./container.ts";
import { Inspection, KernelInspection } from "./inspection.ts";
import { Modules, PasswordHashing, passwordHashing, Secrets } from "./kernel_contracts.ts";
import type { MigratedDatabase } from "./migrate.ts";
import { modulesOf } from "./check/modules.ts";
import { setUpPlugin } from "./plugin_setup.ts";
import { closeAll, type Registrations, startAll } from "./registrations.ts";
import { sealedColumns } from "./sealed_columns.ts";
import { warnOfGrownTables } from "./small_tables.ts";
import { ServedApi, servedApi } from "./served/served_api.ts";
import type { SystemCalls } from "./system_calls.ts";

/** The time that each plugin has to close when the setup of another one failed. */
const CLOSE_MILLISECONDS = 1000;

export interface SetupOptions extends AuthenticationOptions {
  readonly passwords: Passwords;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The ages to which audit records are kept. Defaults to `DEFAULT_AUDIT_SETTINGS`. */
  readonly audit?: AuditSettings | undefined;
  /** Runs the code of plugins. By default its errors are attributed to none. */
  readonly runAs?: RunAs | undefined;
}

/** The registrations of all plugins, and the parts of the kernel that check credentials. */
export interface SetUpPlugins {
  readonly registrations: Registrations;
  readonly authentication: Authentication;
  readonly inspection: KernelInspection;
  readonly audit: Audit;
  readonly verification: AuditVerification;
  readonly auditCheck: AuditCheck;
  readonly events: EventLog;
  readonly deliveries: Deliveries;
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
  degradation: Degradation,
): Promise<SetUpPlugins> {
  const { engine, clock, timers, log, metrics, limits } = options;
  const container = new Container();
  const sealed = new Set(sealedColumns(plugins).map(({ table, column }) => `${table}.${column}`));
  const audit = new Audit({
    db,
    clock,
    sealed,
    settings: options.audit ?? DEFAULT_AUDIT_SETTINGS,
  });
  const verification = new AuditVerification(db, audit.records);
  const auditCheck = new AuditCheck({ db, clock, log, metrics, verification });
  for (const { manifest: { name, contributes = [] } } of degradation.failed) container.withdraw(name, contributes);
  const authentication = createAuthentication(db, calls, container, rotation, audit, options);
  container.provide(PasswordHashing, passwordHashing(options.passwords, checkNewPassword));
  container.provide(Secrets, rotation.ring);
  container.provide(AuditLog, auditLog(audit, new AuditList(db), auditCheck, () => unixSeconds(clock)));
  const ofPlugins = plugins.flatMap(({ use: { plugin } }) => plugin.events ?? []);
  const kinds = [...KERNEL_ALARMS.flatMap(({ began, ended }) => [began, ended]), ...ofPlugins];
  const events = new EventLog(db, clock, kinds, () => deliveries.wake());
  const listeners = container.contributions(EventListeners);
  const deliveries = new Deliveries({ db, clock, timers, log, systemCall: calls.system, events, listeners });
  container.provide(Events, events);
  // admins keep the modules of plugins that do not run
  const manifests = [
    ...plugins.map(({ use }) => use.plugin.manifest),
    ...degradation.failed.map((one) => one.manifest),
  ];
  container.provide(Modules, modulesOf(manifests));
  const registrations: Registrations = {
    container,
    operations: [],
    routes: new Map(),
    receivers: new Map(),
    jobs: [],
    starters: [],
    closers: [],
    pathOwners: new Map(),
    degradation,
    startLimit: { milliseconds: limits.pluginStartSeconds * 1000, timers },
    errors: [],
    runAs: options.runAs ?? runPlain,
    jsonDepth: limits.jsonDepth,
  };
  container.provide(
    ServedApi,
    servedApi(plugins.map(({ use }) => use.plugin), registrations.operations, container.contributions(CallerStandings)),
  );
  const changes = new CompiledChanges();
  const inspection = new KernelInspection(plugins, registrations.operations, degradation);
  container.provide(Inspection, inspection);
  const shared = {
    clock,
    timers,
    log,
    metrics,
    systemCall: calls.system,
    isShared: engine.shared,
    compiled: changes.add,
  };
  const own = plugins.map(({ use }) => use.plugin);
  for (const plugin of plugins) {
    for (const { manifest } of degradation.spread(own)) container.withdraw(manifest.name, manifest.contributes ?? []);
    if (!degradation.has(plugin.use.plugin.manifest.name)) await setUpPlugin(plugin, registrations, shared);
  }
  registrations.errors.push(...engine.checkChanges?.(changes.take()) ?? []);
  await warnOfGrownTables(own.map(({ manifest }) => manifest), engine, log);
  await startAll(registrations, own, log);
  if (registrations.errors.length > 0) {
    await closeAll(registrations.closers, CLOSE_MILLISECONDS, log);
    throw new StartupError(registrations.errors);
  }
  return { registrations, authentication, inspection, audit, verification, auditCheck, events, deliveries };
}
