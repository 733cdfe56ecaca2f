import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemTimers } from "../../base/clock.ts";
import { createKernel, type Kernel } from "../../kernel/kernel.ts";
import { createLogger, type Logger } from "../../base/log.ts";
import type { StorageEngine } from "../../storage/engine.ts";
import { localPath } from "../settings/database_path.ts";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { readEnvironment } from "../settings/environment.ts";
import { loadInstallationKey } from "./installation_key.ts";
import { loadPlugins } from "./load_plugins.ts";
import { LogOutput } from "../observe/log_output.ts";
import { PrometheusMetrics } from "../observe/metrics.ts";
import { WorkerPasswords } from "../passwords/passwords.ts";
import { LocalReplica } from "../replica/local_replica.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { type LocalEngineOptions, openLocalEngine } from "../sqlite/engine.ts";

/** How long one call may take, unless its caller allows less. */
const CALL_MILLISECONDS = 30_000;

/** How long a slow reader of the log may take at the end. */
const FLUSH_MILLISECONDS = 1000;

/** What a benchmark may set otherwise. */
export type EngineOptions = Omit<LocalEngineOptions, "path">;

interface KernelOptions extends EngineOptions {
  /** Whether to keep the copy of a remote database that the settings ask for, which only one process can. */
  readonly withReplica?: boolean;
}

/** A kernel with the machine around it. */
export interface OpenKernel {
  readonly kernel: Kernel;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: PrometheusMetrics;
  close(limitMilliseconds: number): Promise<void>;
  /** Writes what the log holds back, before the process ends by itself. */
  flushLog(): void;
}

/** Reads what the operator decided, and boots. Leaves nothing open when it fails. */
export async function openKernel({ withReplica = false, ...engineOptions }: KernelOptions = {}): Promise<OpenKernel> {
  const environment = readEnvironment();
  const settings = await readSettings(environment);
  const output = new LogOutput();
  const log = createLogger({ level: settings.logLevel, write: output.write, clock: systemClock });
  const plugins = await loadPlugins(settings);
  const { database, dataDirectory } = settings;
  const path = localPath(settings);
  if (path !== undefined) await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const { key, notices } = await loadInstallationKey({
    env: environment,
    dataDirectory,
    remote: path === undefined,
  });
  for (const notice of notices) log.warn(notice);
  const engine: StorageEngine = path === undefined
    ? await openRemoteEngine({ ...database, replica: withReplica ? await replicaOf(settings, log) : undefined })
    : await openLocalEngine({ path, ...engineOptions });
  const passwords = new WorkerPasswords();
  const metrics = new PrometheusMetrics();
  try {
    const kernel = await createKernel({
      plugins,
      engine,
      installationKey: key,
      passwords,
      clock: systemClock,
      timers: systemTimers,
      log,
      metrics,
      tokenLifetimeSeconds: settings.tokens.lifetimeSeconds,
      rotateDays: settings.tokens.rotateDays,
      callMilliseconds: CALL_MILLISECONDS,
      limits: settings.limits,
      chosenAccessKey: settings.chosenAccessKey,
      migrate: true,
    });
    metrics.watch({ inFlight: () => kernel.dispatch.inFlight, waitingWrites: () => engine.waiting });
    return {
      kernel,
      settings,
      log,
      metrics,
      async close(limitMilliseconds) {
        await kernel.stop(limitMilliseconds);
        await passwords.close();
        output.close(FLUSH_MILLISECONDS);
      },
      flushLog: () => output.close(FLUSH_MILLISECONDS),
    };
  } catch (error) {
    await engine.close();
    await passwords.close();
    output.close(FLUSH_MILLISECONDS);
    throw error;
  }
}

/** A copy of the remote database, if the operator wants one. */
async function replicaOf({ dataDirectory, database }: Settings, log: Logger): Promise<LocalReplica | undefined> {
  const { url, token, replica } = database;
  if (replica === undefined) return undefined;
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  return new LocalReplica({ directory: join(dataDirectory, "replica"), url, token, log, ...replica });
}
