import type { JWK } from "jose";
import { TokenExchange } from "../auth/access_tokens.ts";
import { Authenticator } from "../auth/authenticator.ts";
import { AccessTokens, CredentialSources } from "../auth/credentials.ts";
import type { InstallationKey } from "../auth/installation_key.ts";
import { CountedLoginAttempts, LoginAttempts } from "../auth/login_attempts.ts";
import { LoginFailures } from "../auth/login_failures.ts";
import { checkNewPassword, type Passwords } from "../auth/passwords.ts";
import { Revocation } from "../auth/revocation.ts";
import { signingKeyStore } from "../auth/signing_key_store.ts";
import { SigningKeys } from "../auth/signing_keys.ts";
import { JwtTokens } from "../auth/token.ts";
import { Audit } from "../calls/audit.ts";
import type { Call } from "../base/call.ts";
import { CallCounts } from "../calls/call_counts.ts";
import { checkPlugins, type PluginUse } from "./check.ts";
import type { Clock, Timers } from "../base/clock.ts";
import { Container } from "./container.ts";
import { Dispatch } from "../calls/dispatch.ts";
import { runDueJobs } from "../jobs/due_jobs.ts";
import { Effects } from "../calls/effects.ts";
import { type ChosenAccessKey, type Command, Commands, FirstStart } from "../plugin_api/extension_points.ts";
import { kernelErrors } from "../base/errors.ts";
import { Idempotency } from "../calls/idempotency.ts";
import { InstallationState } from "./installation_state.ts";
import { type JobCall, Jobs, type OwnedJob } from "../jobs/jobs.ts";
import { KernelCall } from "../storage/kernel_call.ts";
import { PasswordHashing, passwordHashing, Secrets } from "./kernel_contracts.ts";
import { KERNEL_SCOPE, type KernelTables } from "../storage/kernel_tables.ts";
import { Leases } from "../jobs/leases.ts";
import { DEFAULT_LIMITS, type Limits } from "../base/limits.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import { KERNEL_MIGRATIONS } from "./migrations/mod.ts";
import { NodeHub } from "../nodes/node_hub.ts";
import { nodeSessionStore } from "../nodes/node_sessions.ts";
import { NodeStreams } from "../nodes/node_streams.ts";
import { OperationTable } from "../calls/operation_table.ts";
import { type FetchHandler, migrationsOf, tablesOf } from "../plugin_api/plugin.ts";
import { Readiness } from "./readiness.ts";
import { RequestScope } from "../storage/request_scope.ts";
import { closeAll, type Registrations, setUpPlugin } from "./setup.ts";
import { StartupError } from "../base/startup_error.ts";
import { database } from "../storage/database.ts";
import type { StorageEngine } from "../storage/engine.ts";
import type { Migrations } from "../storage/migrate/migrations.ts";
import { migrate } from "../storage/migrate/migrate.ts";
import { requireMigrated } from "../storage/migrate/schema_check.ts";

export interface KernelOptions {
  readonly plugins: readonly PluginUse[];
  readonly engine: StorageEngine;
  readonly installationKey: InstallationKey;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tokenLifetimeSeconds: number;
  readonly rotateDays: number;
  readonly callMilliseconds: number;
  /** The limits for callers. Defaults to `DEFAULT_LIMITS`. */
  readonly limits?: Limits | undefined;
  /** The access key that the operator chose for the first admin. */
  readonly chosenAccessKey?: ChosenAccessKey | undefined;
  /** False if migrations run separately, as on edge runtimes. */
  readonly migrate: boolean;
}

/** A running installation, independent of its transports. */
export interface Kernel {
  readonly operations: OperationTable;
  readonly routes: ReadonlyMap<string, FetchHandler>;
  readonly dispatch: Dispatch;
  readonly limits: Limits;
  readonly commands: readonly Command[];
  /** Lines for the operator after the first start. They are empty on every other start. */
  readonly notices: readonly string[];
  jwks(): Promise<{ keys: JWK[] }>;
  /** Creates a call of the installation itself, which may read and transact. */
  systemCall(name: string): Call;
  startJobs(): void;
  /** Runs the job `<plugin>.<name>` now, if this instance gets its lease. */
  runJob(name: string): Promise<void>;
  /** Runs the due jobs that no other instance runs, for runtimes without background work. */
  runDueJobs(): Promise<void>;
  /** @throws StartupError if the database schema is that of another release */
  checkSchema(): Promise<void>;
  /** Returns the reason why it cannot serve calls now; undefined if it can. */
  notReady(): Promise<string | undefined>;
  /** Begins a stop: cancels streams and jobs without waiting for them. Unary calls are still served. */
  endLongWork(limitMilliseconds: number): void;
  /** Waits for jobs and calls in flight, then closes the database. Stop the listeners first. */
  stop(limitMilliseconds: number): Promise<void>;
}

interface SystemCallOptions {
  /** Unix milliseconds. */
  readonly deadline?: number;
  /** Runs inside every transaction of the call, before COMMIT. */
  readonly beforeCommit?: (call: Call) => Promise<void>;
}

const KERNEL_CONTRACTS = new Set([AccessTokens.id, LoginAttempts.id, NodeStreams.id, PasswordHashing.id, Secrets.id]);

/**
 * Boots an installation: checks plugins, migrates the database and sets up plugins.
 *
 * @throws StartupError with all errors of the first phase that fails
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { engine, clock, log, installationKey, limits = DEFAULT_LIMITS } = options;
  const { ordered, errors } = checkPlugins(options.plugins, KERNEL_CONTRACTS);
  if (errors.length > 0) throw new StartupError(errors);

  const db = database<KernelTables>(KERNEL_SCOPE);
  function systemScope(name: string, deadline = Infinity): RequestScope {
    return new RequestScope({ role: "system" }, crypto.randomUUID(), deadline, name, log);
  }
  function systemCall(name: string, deadline?: number): Call {
    return new KernelCall(systemScope(name, deadline), engine.reader, { engine, mayWrite: true });
  }
  /** Authentication precedes every call, including those that only read, so it must not write. */
  function authenticationCall(deadline?: number): Call {
    return new KernelCall(systemScope("authentication", deadline), engine.reader, { engine, mayWrite: false });
  }
  function jobCall(name: string, beforeCommit: (call: Call) => Promise<void>): JobCall {
    const scope = systemScope(name);
    const call = new KernelCall(scope, engine.reader, { engine, mayWrite: true, beforeCommit });
    return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
  }

  const kernelTables: Migrations = { owner: "kernel", tables: KERNEL_SCOPE.tables!, migrations: KERNEL_MIGRATIONS };
  const pluginTables = ordered.map(({ use: { plugin } }): Migrations => (
    { owner: plugin.manifest.name, tables: new Set(tablesOf(plugin)), migrations: migrationsOf(plugin) }
  ));
  const checkSchema = () => requireMigrated(engine, [kernelTables, ...pluginTables]);
  if (options.migrate) await migrate(engine, kernelTables);
  else await checkSchema();
  const state = new InstallationState(db);
  await state.checkKey(systemCall("start"), installationKey);
  if (options.migrate) { for (const migrations of pluginTables) await migrate(engine, migrations); }

  const container = new Container();
  const sources = container.contributions(CredentialSources);
  const keys = new SigningKeys<Call>({
    store: signingKeyStore(db),
    sealer: installationKey.sealer,
    now: () => clock.now(),
    rotateDays: options.rotateDays,
    tokenLifetimeSeconds: options.tokenLifetimeSeconds,
  });
  const tokens = new JwtTokens<Call>({
    keys,
    installationId: installationKey.id,
    lifetimeSeconds: options.tokenLifetimeSeconds,
    now: () => clock.now(),
  });
  const revocation = new Revocation(db, engine.shared);
  const failures = new LoginFailures(db, clock, limits.loginSeconds);
  const attempts = new CountedLoginAttempts({ limits, clock, failures, systemCall: () => systemCall("login") });
  container.provide(LoginAttempts, attempts);
  container.provide(AccessTokens, new TokenExchange(tokens, revocation, sources, attempts));
  container.provide(PasswordHashing, passwordHashing(options.passwords, checkNewPassword));
  container.provide(Secrets, installationKey.sealer);
  const instanceId = crypto.randomUUID();
  const leases = new Leases(db, clock, instanceId);
  const hub = new NodeHub({
    sessions: nodeSessionStore(db),
    leases,
    clock,
    timers: options.timers,
    log,
    systemCall,
    instanceId,
    isShared: engine.shared,
  });
  container.provide(NodeStreams, hub);

  const registrations: Registrations = {
    container,
    operations: [],
    routes: new Map(),
    jobs: [],
    closers: [],
    errors: [],
    jsonDepth: limits.jsonDepth,
  };
  const services = { clock, log, metrics: options.metrics, isShared: engine.shared };
  for (const checked of ordered) await setUpPlugin(checked, registrations, services);
  if (registrations.errors.length > 0) {
    await closeAll(registrations.closers, log);
    throw new StartupError(registrations.errors);
  }

  const notices = options.migrate ? await firstStart() : await requireInstallation();
  await revocation.refresh(systemCall("start"));
  await keys.load(systemCall("start"));

  const audit = new Audit(db, clock);
  const idempotency = new Idempotency(db, clock, installationKey.sealer);
  const effects = new Effects(engine, audit, idempotency);
  const reading = authenticationCall();
  const authenticator = new Authenticator({
    tokens,
    revocation,
    sources,
    clock,
    systemCall: (deadline) => deadline === undefined ? reading : authenticationCall(deadline),
  });
  const dispatch = new Dispatch({
    authenticator,
    effects,
    clock,
    log,
    metrics: options.metrics,
    counts: new CallCounts(limits),
    rules: limits,
    callMilliseconds: options.callMilliseconds,
  });
  const readiness = new Readiness({ db, clock, timers: options.timers, log, systemCall });
  const jobs = new Jobs({ leases, clock, timers: options.timers, log, systemCall, jobCall });

  /** Creates the installation in one transaction, unless it exists. */
  function firstStart(): Promise<readonly string[]> {
    return systemCall("first start").transact(async (call) => {
      if (await state.id(call) !== undefined) {
        await keys.rotateIfDue(call);
        return [];
      }
      await state.create(call, installationKey);
      await keys.rotateIfDue(call);
      const lines: string[] = [];
      for (const task of container.contributions(FirstStart)) {
        lines.push(...await task.run(call, options.chosenAccessKey));
      }
      return lines;
    });
  }

  /** Only `migrate` creates an installation, because its operator must see the first access key. */
  async function requireInstallation(): Promise<readonly string[]> {
    if (await state.id(systemCall("start")) !== undefined) return [];
    throw new StartupError("the database contains no installation: run deno task migrate");
  }

  async function rotateKeys(call: Call): Promise<void> {
    await call.transact((inner) => keys.rotateIfDue(inner));
    await keys.load(call);
  }

  async function prune(call: Call): Promise<void> {
    for (const pruned of [idempotency, audit, failures]) {
      while (!call.signal.aborted && await call.transact((inner) => pruned.prune(inner)));
    }
  }

  const allJobs: readonly OwnedJob[] = [
    { owner: "kernel", name: "rotate_keys", everySeconds: 3600, run: rotateKeys },
    { owner: "kernel", name: "prune", everySeconds: 3600, run: prune },
    ...hub.isUsed
      ? [{ owner: "kernel", name: "sweep_node_streams", everySeconds: 5, run: (call: Call) => hub.sweep(call) }]
      : [],
    ...registrations.jobs,
  ];

  return {
    operations: new OperationTable(registrations.operations),
    routes: registrations.routes,
    dispatch,
    limits,
    commands: container.contributions(Commands),
    notices,
    jwks: () => keys.jwks(reading),
    systemCall: (name) => systemCall(name),
    startJobs: () => jobs.start(allJobs),
    async runJob(name) {
      const job = allJobs.find((job) => `${job.owner}.${job.name}` === name);
      if (job === undefined) throw new Error(`job "${name}" does not exist`);
      await jobs.run(job);
    },
    runDueJobs: () => runDueJobs(allJobs, db, { clock, timers: options.timers, log, systemCall, jobCall }),
    checkSchema,
    notReady: () => readiness.notReady(),
    endLongWork(limitMilliseconds) {
      dispatch.endStreams(kernelErrors.unavailable("the server is stopping; call again"));
      void jobs.stop(limitMilliseconds);
    },
    async stop(limitMilliseconds) {
      await jobs.stop(limitMilliseconds);
      await dispatch.drain(limitMilliseconds);
      await hub.stop(limitMilliseconds);
      await closeAll(registrations.closers, log);
      await engine.close();
    },
  };
}
