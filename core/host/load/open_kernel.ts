import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemClockIn, systemTimers } from "../../base/clock.ts";
import type { InstallationKey } from "../../auth/installation_key.ts";
import { createKernel, type Kernel, type KernelOptions } from "../../kernel/kernel.ts";
import { createLogger, type Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { StorageEngine } from "../../storage/engine.ts";
import { localPath } from "../settings/database_path.ts";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { type Environment, readEnvironment } from "../settings/environment.ts";
import { findInstallationKey, loadInstallationKey } from "./installation_key.ts";
import { loadPlugins } from "./load_plugins.ts";
import { LogOutput } from "../observe/log_output.ts";
import { PrometheusMetrics } from "../observe/metrics.ts";
import { WorkerPasswords } from "../passwords/passwords.ts";
import { LocalReplica } from "../replica/local_replica.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { type LocalEngineOptions, openLocalEngine } from "../sqlite/engine.ts";

/** The default deadline of a call. */
const CALL_MILLISECONDS = 30_000;

/** The time limit for flushing the log to a slow reader at exit. */
const FLUSH_MILLISECONDS = 1000;

/** Options of the local engine that benchmarks override. */
export type EngineOptions = Omit<LocalEngineOptions, "path">;

/** Options of a server on this machine. */
export interface MachineOptions extends EngineOptions {
  /** Maintain the local replica that the settings configure. Only one process can. */
  readonly withReplica?: boolean;
}

/** A kernel on a host, with its settings, log and metrics. */
export interface OpenKernel {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
  close(limitMilliseconds: number): Promise<void>;
  /** Flushes the log. Call it before process.exit(). */
  flushLog(): void;
}

/** The parts of the machine that a kernel needs: the key, the database, the program for passwords. */
export interface Machine {
  readonly installationKey: InstallationKey;
  readonly readInstallationKey: () => Promise<InstallationKey>;
  readonly engine: StorageEngine;
  readonly passwords: WorkerPasswords;
}

/** Reads the settings and boots the kernel. If that fails, everything opened so far is closed. */
export async function openKernel(options: MachineOptions = {}): Promise<OpenKernel> {
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const { log, flushLog } = openLog(settings);
  const plugins = await loadPlugins(settings);
  const machine = await openMachine(environment, settings, log, options);
  const { engine, passwords } = machine;
  const metrics = new PrometheusMetrics();
  try {
    const kernel = await bootKernel(machine, plugins, settings, log, metrics);
    metrics.watch({ inFlight: () => kernel.dispatch.inFlight, waitingWrites: () => engine.waiting });
    return {
      kernel,
      settings,
      log,
      metrics,
      async close(limitMilliseconds) {
        await kernel.stop(limitMilliseconds);
        await passwords.close();
        flushLog();
      },
      flushLog,
    };
  } catch (error) {
    await engine.close();
    await passwords.close();
    flushLog();
    throw error;
  }
}

export function openLog({ logLevel }: Settings): Pick<OpenKernel, "log" | "flushLog"> {
  const output = new LogOutput();
  const log = createLogger({ level: logLevel, write: output.write, clock: systemClock });
  return { log, flushLog: () => output.close(FLUSH_MILLISECONDS) };
}

/** Loads the installation key, which it creates if a local database has none, and opens the database. */
export async function openMachine(
  environment: Environment,
  settings: Settings,
  log: Logger,
  { withReplica = false, ...engineOptions }: MachineOptions = {},
): Promise<Machine> {
  const { database, dataDirectory } = settings;
  const path = localPath(settings);
  if (path !== undefined) await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const keyOptions = { env: environment, dataDirectory, remote: path === undefined };
  const { key, notices } = await loadInstallationKey(keyOptions);
  for (const notice of notices) log.warn(notice);
  const engine: StorageEngine = path === undefined
    ? await openRemoteEngine({ ...database, replica: withReplica ? await replicaOf(settings, log) : undefined })
    : await openLocalEngine({ path, ...engineOptions });
  return {
    installationKey: key,
    readInstallationKey: async () => await findInstallationKey(keyOptions) ?? key,
    engine,
    passwords: new WorkerPasswords(),
  };
}

/** Boots the plugins with the settings, and migrates the database. */
export function bootKernel(
  machine: Machine,
  plugins: KernelOptions["plugins"],
  { timeZone, tokens, limits, chosenAccessKey }: Settings,
  log: Logger,
  metrics: Metrics,
): Promise<Kernel> {
  return createKernel({
    ...machine,
    plugins,
    clock: systemClockIn(timeZone),
    timers: systemTimers,
    log,
    metrics,
    tokenLifetimeSeconds: tokens.lifetimeSeconds,
    rotateDays: tokens.rotateDays,
    callMilliseconds: CALL_MILLISECONDS,
    limits,
    chosenAccessKey,
    migrate: true,
  });
}

/** Returns the local replica of the remote database, if one is configured. */
async function replicaOf({ dataDirectory, database }: Settings, log: Logger): Promise<LocalReplica | undefined> {
  const { url, token, replica } = database;
  if (replica === undefined) return undefined;
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  return new LocalReplica({ directory: join(dataDirectory, "replica"), url, token, log, ...replica });
}
