import { join } from "node:path";
import { systemClock, systemClockIn, systemTimers } from "../../base/clock.ts";
import type { InstallationKey } from "../../auth/installation_key.ts";
import { createKernel, type Kernel, type KernelOptions } from "../../kernel/kernel.ts";
import { createLogger, type Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { StorageEngine } from "../../storage/engine.ts";
import type { PendingMigrations } from "../../storage/migrate/schema_check.ts";
import { machineWork } from "./host_work.ts";
import { localPath } from "../settings/database_path.ts";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { hideFilesFromOthers, openDataDirectory, requireDataDirectory, requireOwnFile } from "./data_directory.ts";
import { findInstallationKey, loadInstallationKey, ownKeyFile } from "./installation_key.ts";
import { loadPlugins } from "./load_plugins.ts";
import { machineError } from "./machine_errors.ts";
import { pluginFolders } from "./plugin_folders.ts";
import type { FailedPlugin } from "../../kernel/degradation.ts";
import { Attribution, surviveUncaught } from "../observe/attribution.ts";
import { LogOutput } from "../observe/log_output.ts";
import { ServedCertificates } from "../observe/served_certificates.ts";
import { PrometheusMetrics } from "../observe/metrics.ts";
import { WorkerPasswords } from "../passwords/passwords.ts";
import { machineOutbound } from "../outbound/outbound.ts";
import { LocalReplica } from "../replica/local_replica.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { backupBeforeUpgrade } from "../upgrade/backup_before_upgrade.ts";
import { DatabaseIdentity } from "../sqlite/database_identity.ts";
import { type LocalEngineOptions, openLocalEngine } from "../sqlite/engine.ts";
import { expectedInstallation } from "./expected_installation.ts";

/** The default deadline of a call. */
const CALL_MILLISECONDS = 30_000;

/** The time limit for flushing the log to a slow reader at exit. */
const FLUSH_MILLISECONDS = 1000;

/** Options of the local engine that benchmarks override. */
export type EngineOptions = Omit<LocalEngineOptions, "path" | "identity" | "report">;

/** Options of a server on this machine. */
export interface MachineOptions extends EngineOptions {
  /** Maintain the local replica that the settings configure. Only one process can. */
  readonly withReplica?: boolean;
  /** Log errors in timers and promises instead of ending the process. */
  readonly surviveUncaught?: boolean;
  /** Start without the plugins that fail. */
  readonly mayDegrade?: boolean;
  /** Begin a new installation, or accept another one, if the database of the data directory is lost. */
  readonly isAnew?: boolean;
  /** Migrate a database that has rows without a backup of it. */
  readonly withoutBackup?: boolean;
}

/** A kernel on a host, with its settings, log and metrics. */
export interface OpenKernel {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
  /** The certificates that the listeners use, which they name themselves. */
  readonly certificates: ServedCertificates;
  close(limitMilliseconds: number): Promise<void>;
  /** Flushes the log. Call it before process.exit(). */
  flushLog(): void;
}

/** The parts of the machine that a kernel needs: the key, the database, the program for passwords. */
export interface Machine {
  readonly installationKey: InstallationKey;
  readonly readInstallationKey: () => Promise<InstallationKey>;
  readonly engine: StorageEngine;
  /** The id of the installation that the database must hold. */
  readonly expectedInstallation: string | undefined;
  readonly passwords: WorkerPasswords;
}

/**
 * Reads the settings and boots the kernel. If that fails, everything opened so far is closed.
 *
 * @param check is called with the settings before anything is opened, and may throw a StartupError
 */
export async function openKernel(
  options: MachineOptions = {},
  check: (settings: Settings, log: Logger) => void = () => {},
): Promise<OpenKernel> {
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const { log, flushLog } = openLog(settings);
  check(settings, log);
  const metrics = new PrometheusMetrics();
  const attribution = new Attribution(pluginFolders(settings));
  const count = (owner: string) => metrics.uncaughtError(owner);
  const endSurvival = options.surviveUncaught ? surviveUncaught({ attribution, log, count }) : () => {};
  try {
    return await openOn({ environment, settings, log, flushLog, metrics, attribution, endSurvival }, options);
  } catch (error) {
    endSurvival();
    flushLog();
    throw error;
  }
}

interface Opening extends Pick<OpenKernel, "settings" | "log" | "metrics" | "flushLog"> {
  readonly environment: Environment;
  readonly attribution: Attribution;
  readonly endSurvival: () => void;
}

async function openOn(
  { environment, settings, log, flushLog, metrics, attribution, endSurvival }: Opening,
  options: MachineOptions,
): Promise<OpenKernel> {
  const failed: FailedPlugin[] | undefined = options.mayDegrade ? [] : undefined;
  const plugins = await loadPlugins(settings, undefined, failed && ((one) => failed.push(one)));
  const machine = await openMachine(environment, settings, log, options);
  const { engine, passwords } = machine;
  const clock = systemClockIn(settings.timeZone);
  const certificates = new ServedCertificates(clock);
  try {
    const kernel = await bootKernel(machine, plugins, settings, log, metrics, {
      runAs: attribution.run,
      failedPlugins: failed,
      beforeUpgrade: (pending) => prepareUpgrade(settings, log, options, pending),
      hostWork: machineWork(settings, certificates, clock, log, metrics),
    });
    metrics.watch({ inFlight: () => kernel.dispatch.inFlight, waitingWrites: () => engine.waiting });
    return {
      kernel,
      settings,
      log,
      metrics,
      certificates,
      async close(limitMilliseconds) {
        try {
          await kernel.stop(limitMilliseconds);
        } catch (error) {
          throw machineError(error, settings.dataDirectory);
        } finally {
          await passwords.close();
          endSurvival();
          flushLog();
        }
      },
      flushLog,
    };
  } catch (error) {
    // The first error says more: on a full disk, closing fails as well.
    await engine.close().catch(() => undefined);
    await passwords.close();
    throw machineError(error, settings.dataDirectory);
  }
}

async function prepareUpgrade(
  settings: Settings,
  log: Logger,
  { withoutBackup = false }: MachineOptions,
  pending: readonly PendingMigrations[],
): Promise<void> {
  const database = localPath(settings);
  const reason = database === undefined ? "the database is remote" : "--without-backup";
  if (database === undefined || withoutBackup) log.warn("no backup was made before the migrations", { reason });
  else {
    const clock = systemClockIn(settings.timeZone);
    await backupBeforeUpgrade({ database, dataDirectory: settings.dataDirectory, clock, log }, pending);
  }
}

export function openLog({ logLevel }: Settings): Pick<OpenKernel, "log" | "flushLog"> {
  const output = new LogOutput();
  const log = createLogger({ level: logLevel, write: output.write, clock: systemClock });
  return { log, flushLog: () => output.close(FLUSH_MILLISECONDS) };
}

/**
 * Loads the installation key, which it creates if a local database has none, and opens the database.
 *
 * @throws StartupError that names what is wrong with the machine and how to mend it
 */
export async function openMachine(
  environment: Environment,
  settings: Settings,
  log: Logger,
  options: MachineOptions = {},
): Promise<Machine> {
  try {
    return await openParts(environment, settings, log, options);
  } catch (error) {
    throw machineError(error, settings.dataDirectory);
  }
}

async function openParts(
  environment: Environment,
  settings: Settings,
  log: Logger,
  {
    withReplica = false,
    isAnew = false,
    surviveUncaught: _survive,
    mayDegrade: _degrade,
    withoutBackup: _skip,
    ...engineOptions
  }: MachineOptions,
): Promise<Machine> {
  const { database, dataDirectory, limits: { writeIdleMilliseconds: idleTime } } = settings;
  const path = localPath(settings);
  hideFilesFromOthers();
  // plugins may keep files there, whatever the database is
  if (path === undefined) await requireDataDirectory(dataDirectory);
  else await openDataDirectory(dataDirectory);
  if (path !== undefined) await requireOwnFile(path, dataDirectory);
  const keyOptions = { env: environment, dataDirectory, remote: path === undefined };
  const expected = expectedInstallation(environment);
  const identity = path === undefined
    ? undefined
    : new DatabaseIdentity({ dataDirectory, path, keyPath: await ownKeyFile(keyOptions), expected, isAnew });
  const { key, notices } = await loadInstallationKey(keyOptions);
  for (const notice of notices) log.warn(notice);
  const engine: StorageEngine = path === undefined
    ? await openRemoteEngine({
      ...{ ...database, limits: { idleTime } },
      replica: withReplica ? await replicaOf(settings, log) : undefined,
    })
    : await openLocalEngine({
      ...engineOptions,
      path,
      writer: { idleTime, ...engineOptions.writer },
      identity: identity!,
      report: (text) => log.error(text),
    });
  return {
    installationKey: key,
    readInstallationKey: async () => await findInstallationKey(keyOptions) ?? key,
    engine,
    expectedInstallation: expected,
    passwords: new WorkerPasswords(),
  };
}

/** Boots the plugins with the settings, and migrates the database. */
export function bootKernel(
  machine: Machine,
  plugins: KernelOptions["plugins"],
  { timeZone, tokens, limits, outbound, chosenAccessKey, audit }: Settings,
  log: Logger,
  metrics: Metrics,
  work: Pick<KernelOptions, "runAs" | "failedPlugins" | "hostWork" | "beforeUpgrade"> = {},
): Promise<Kernel> {
  return createKernel({
    ...machine,
    plugins,
    clock: systemClockIn(timeZone),
    timers: systemTimers,
    log,
    outbound: machineOutbound(outbound),
    metrics,
    tokenLifetimeSeconds: tokens.lifetimeSeconds,
    rotateDays: tokens.rotateDays,
    callMilliseconds: CALL_MILLISECONDS,
    audit,
    limits,
    chosenAccessKey,
    migrate: true,
    ...work,
  });
}

/** Returns the local replica of the remote database, if one is configured. */
async function replicaOf({ dataDirectory, database }: Settings, log: Logger): Promise<LocalReplica | undefined> {
  const { url, token, replica } = database;
  if (replica === undefined) return undefined;
  await openDataDirectory(dataDirectory);
  return new LocalReplica({ directory: join(dataDirectory, "replica"), url, token, log, ...replica });
}
