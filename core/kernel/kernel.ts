import { AuditLog } from "./audit_log.ts";
import { auditCommands } from "./commands/audit_commands.ts";
import { keyCommands } from "./commands/key_commands.ts";
import { loginCommands } from "./commands/login_commands.ts";
import type { JWK } from "jose";
import { AccessTokens } from "../auth/credentials.ts";
import { LoginAttempts } from "../auth/login/login_attempts.ts";
import type { Call, TokenRole } from "../base/call.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import { Events } from "../events/events.ts";
import { OperationTable } from "../calls/operation_table.ts";
import { runDueJobs } from "../jobs/due_jobs.ts";
import type { JobCall } from "../jobs/jobs.ts";
import { type Command, Commands } from "../plugin_api/extension_points.ts";
import type { FetchHandler, Receiver } from "../plugin_api/plugin.ts";
import { Degradation, type FailedPlugin } from "./degradation.ts";
import { type CheckedPlugin, checkPlugins, type PluginUse } from "./check/check.ts";
import { Inspection } from "./inspection.ts";
import { Modules, PasswordHashing, Secrets } from "./kernel_contracts.ts";
import { migrateDatabase, type MigratedDatabase, type MigrateOptions } from "./migrate.ts";
import { closeAll } from "./registrations.ts";
import { runInstallation, type RunningInstallation, type RunOptions } from "./run.ts";
import { ServedApi } from "./served/served_api.ts";
import { type SetupOptions, type SetUpPlugins, setUpPlugins } from "./setup.ts";
import { SystemCalls } from "./system_calls.ts";

/** The options of all phases of a boot. */
export interface KernelOptions extends MigrateOptions, Omit<SetupOptions, "limits">, Omit<RunOptions, "limits"> {
  readonly plugins: readonly PluginUse[];
  /** The limits for callers. Defaults to `DEFAULT_LIMITS`. */
  readonly limits?: Limits | undefined;
  /**
   * The plugins that could not be imported. If it is given, a plugin that fails is taken out with those that need it;
   * otherwise it stops the start.
   */
  readonly failedPlugins?: readonly FailedPlugin[] | undefined;
}

/** A running installation, independent of its transports. */
export interface Kernel {
  readonly operations: OperationTable;
  readonly routes: ReadonlyMap<string, FetchHandler>;
  readonly receivers: ReadonlyMap<string, Receiver>;
  readonly dispatch: Dispatch;
  readonly limits: Limits;
  readonly commands: readonly Command[];
  /** The roles whose access keys can be exchanged for access tokens. */
  readonly credentialRoles: ReadonlySet<TokenRole>;
  /** Lines for the operator after the first start. They are empty on every other start. */
  readonly notices: readonly string[];
  jwks(): Promise<{ keys: JWK[] }>;
  /** Creates a call of the installation itself, which may read and transact. */
  systemCall(name: string): Call;
  /** Creates a call for a command of the operator, whose changes are in the audit log. */
  commandCall(name: string): Call;
  /** Creates the anonymous call of a request to a receiver. */
  receivedCall(path: string, remoteAddress: string | undefined): JobCall;
  startJobs(): void;
  /** Runs the job `<plugin>.<name>` now, if this instance gets its lease. */
  runJob(name: string): Promise<void>;
  /** Runs the due jobs that no other instance runs, for runtimes without background work. */
  runDueJobs(): Promise<void>;
  /** @throws StartupError if the database schema is that of another release */
  checkSchema(): Promise<void>;
  /** Returns the plugins that do not run, because they failed or need one that failed. */
  failedPlugins(): readonly FailedPlugin[];
  /** Returns the error for calls of a service whose plugin does not run; undefined for all others. */
  errorOfService(name: string): RpcError | undefined;
  /** Returns the reason why it cannot serve calls now; undefined if it can. */
  notReady(): Promise<string | undefined>;
  /** Returns what is not as it should be although calls are served, each in one line; empty if all is well. */
  degraded(): readonly string[];
  /**
   * Begins a stop: cancels streams and jobs without waiting for them. Unary calls are still served.
   *
   * @param reason the message for the clients of streams. Defaults to that of a stop of the server.
   */
  endLongWork(limitMilliseconds: number, reason?: string): void;
  /** Waits for jobs and calls in flight, then closes the database. Stop the listeners first. */
  stop(limitMilliseconds: number): Promise<void>;
}

const KERNEL_CONTRACTS = new Set(
  [AccessTokens, AuditLog, Events, Inspection, LoginAttempts, Modules, PasswordHashing, Secrets, ServedApi].map((
    { id },
  ) => id),
);

/**
 * Boots an installation: checks plugins, migrates the database, sets up plugins and runs them.
 *
 * @throws StartupError with all errors of the first phase that fails
 */
export async function createKernel({ limits = DEFAULT_LIMITS, ...rest }: KernelOptions): Promise<Kernel> {
  const options = { ...rest, limits };
  const calls = new SystemCalls(options.engine, options);
  const degradation = new Degradation(options.failedPlugins, options.log);
  const running = (uses: readonly CheckedPlugin[]) =>
    uses.filter(({ use }) => !degradation.has(use.plugin.manifest.name));
  degradation.spread(options.plugins.map(({ plugin }) => plugin));
  const enabled = options.plugins.filter(({ plugin }) => !degradation.has(plugin.manifest?.name));
  const plugins = checkPlugins(enabled, KERNEL_CONTRACTS);
  const database = await migrateDatabase(plugins, calls, options, degradation);
  const setUp = await setUpPlugins(running(plugins), calls, database, options, degradation);
  const installation = await runInstallation(calls, running(plugins), database, setUp, options);
  return kernelOf(calls, database, setUp, installation, options);
}

/** Returns the interface of a running installation. */
function kernelOf(
  calls: SystemCalls,
  { db, rotation, checkSchema }: MigratedDatabase,
  { registrations, audit, verification, deliveries, authentication: { keys, revocation, loginAttempts, sources } }:
    SetUpPlugins,
  {
    notices,
    sums,
    dispatch,
    readiness,
    resealing,
    jobs,
    instances,
    allJobs,
    alarmWatch,
    hostCommands,
    jobDeps,
    authenticationCall,
  }: RunningInstallation,
  { engine, log, limits, callMilliseconds }: RunOptions,
): Kernel {
  return {
    operations: new OperationTable(registrations.operations),
    routes: registrations.routes,
    receivers: registrations.receivers,
    dispatch,
    limits,
    commands: [
      ...keyCommands({ keys, rotation, resealing, revocation }),
      ...loginCommands(loginAttempts),
      ...auditCommands(audit, verification),
      ...hostCommands,
      ...registrations.container.contributions(Commands),
    ],
    credentialRoles: new Set(sources.flatMap(({ roles }) => roles)),
    notices,
    jwks: () => keys.jwks(authenticationCall),
    systemCall: (name) => calls.system(name),
    commandCall: (name) => calls.command(name, audit),
    receivedCall: (path, address) => calls.received(path, Date.now() + callMilliseconds, address),
    startJobs() {
      instances.start();
      jobs.start(allJobs);
      sums.start();
      alarmWatch.start();
    },
    async runJob(name) {
      const job = allJobs.find((job) => `${job.owner}.${job.name}` === name);
      if (job === undefined) throw new Error(`job "${name}" does not exist`);
      await jobs.run(job);
    },
    async runDueJobs() {
      await runDueJobs(allJobs, db, jobDeps);
      await sums.write();
    },
    checkSchema,
    failedPlugins: () => registrations.degradation.failed,
    errorOfService: (name) => registrations.degradation.errorOf(name),
    notReady: () => readiness.notReady(),
    degraded() {
      const names = registrations.degradation.failed.map(({ manifest: { name } }) => name);
      return [...names.length === 0 ? [] : [names.join(", ")], ...readiness.degraded()];
    },
    endLongWork(limitMilliseconds, reason = "the server is stopping; call again") {
      dispatch.endStreams(kernelErrors.unavailable(reason));
      void jobs.stop(limitMilliseconds);
    },
    async stop(limitMilliseconds) {
      const until = performance.now() + limitMilliseconds;
      const remaining = () => Math.max(0, until - performance.now());
      await jobs.stop(remaining());
      await instances.stop(remaining());
      await dispatch.drain(remaining());
      await sums.stop(remaining());
      await alarmWatch.stop(remaining());
      await deliveries.stop(remaining());
      await closeAll(registrations.closers, remaining(), log);
      await engine.close();
    },
  };
}
