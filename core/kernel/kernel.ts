import { keyCommands } from "./key_commands.ts";
import { loginCommands } from "./login_commands.ts";
import type { JWK } from "jose";
import { AccessTokens } from "../auth/credentials.ts";
import { LoginAttempts } from "../auth/login_attempts.ts";
import type { Call, TokenRole } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import type { Dispatch } from "../calls/dispatch.ts";
import { OperationTable } from "../calls/operation_table.ts";
import { runDueJobs } from "../jobs/due_jobs.ts";
import type { JobCall } from "../jobs/jobs.ts";
import { type Command, Commands } from "../plugin_api/extension_points.ts";
import type { FetchHandler, Receiver } from "../plugin_api/plugin.ts";
import { checkPlugins, type PluginUse } from "./check.ts";
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
  /** Creates the anonymous call of a request to a receiver. */
  receivedCall(path: string, remoteAddress: string | undefined): JobCall;
  startJobs(): void;
  /** Runs the job `<plugin>.<name>` now, if this instance gets its lease. */
  runJob(name: string): Promise<void>;
  /** Runs the due jobs that no other instance runs, for runtimes without background work. */
  runDueJobs(): Promise<void>;
  /** @throws StartupError if the database schema is that of another release */
  checkSchema(): Promise<void>;
  /** Returns the reason why it cannot serve calls now; undefined if it can. */
  notReady(): Promise<string | undefined>;
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
  [AccessTokens, Inspection, LoginAttempts, Modules, PasswordHashing, Secrets, ServedApi].map(({ id }) => id),
);

/**
 * Boots an installation: checks plugins, migrates the database, sets up plugins and runs them.
 *
 * @throws StartupError with all errors of the first phase that fails
 */
export async function createKernel({ limits = DEFAULT_LIMITS, ...rest }: KernelOptions): Promise<Kernel> {
  const options = { ...rest, limits };
  const calls = new SystemCalls(options.engine, options.log);
  const plugins = checkPlugins(options.plugins, KERNEL_CONTRACTS);
  const database = await migrateDatabase(plugins, calls, options);
  const setUp = await setUpPlugins(plugins, calls, database, options);
  const running = await runInstallation(calls, plugins, database, setUp, options);
  return kernelOf(calls, database, setUp, running, options);
}

/** Returns the interface of a running installation. */
function kernelOf(
  calls: SystemCalls,
  { db, rotation, checkSchema }: MigratedDatabase,
  { registrations, authentication: { keys, revocation, loginAttempts, sources } }: SetUpPlugins,
  { notices, dispatch, readiness, resealing, jobs, instances, allJobs, jobDeps, authenticationCall }:
    RunningInstallation,
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
      ...registrations.container.contributions(Commands),
    ],
    credentialRoles: new Set(sources.flatMap(({ roles }) => roles)),
    notices,
    jwks: () => keys.jwks(authenticationCall),
    systemCall: (name) => calls.system(name),
    receivedCall: (path, address) => calls.received(path, Date.now() + callMilliseconds, address),
    startJobs() {
      instances.start();
      jobs.start(allJobs);
    },
    async runJob(name) {
      const job = allJobs.find((job) => `${job.owner}.${job.name}` === name);
      if (job === undefined) throw new Error(`job "${name}" does not exist`);
      await jobs.run(job);
    },
    runDueJobs: () => runDueJobs(allJobs, db, jobDeps),
    checkSchema,
    notReady: () => readiness.notReady(),
    endLongWork(limitMilliseconds, reason = "the server is stopping; call again") {
      dispatch.endStreams(kernelErrors.unavailable(reason));
      void jobs.stop(limitMilliseconds);
    },
    async stop(limitMilliseconds) {
      await jobs.stop(limitMilliseconds);
      await instances.stop(limitMilliseconds);
      await dispatch.drain(limitMilliseconds);
      await closeAll(registrations.closers, limitMilliseconds, log);
      await engine.close();
    },
  };
}
