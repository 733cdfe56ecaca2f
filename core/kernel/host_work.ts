import type { InstallationKey } from "../auth/installation_key.ts";
import type { Call } from "../base/call.ts";
import type { AlarmSource } from "../events/alarm.ts";
import type { OwnedJob } from "../jobs/jobs.ts";
import type { Command } from "../plugin_api/extension_points.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** The parts of a running installation that the work of its host needs. */
export interface HostWorkParts {
  readonly db: Db<KernelTables>;
  /** Returns the installation keys that the database knows, the current one first. */
  readonly keys: () => readonly InstallationKey[];
}

/** A backup that a host made. Times are unix milliseconds. */
export interface HostBackup {
  readonly name: string;
  readonly madeAt: bigint;
  readonly bytes: bigint;
  readonly rows: bigint;
  /** Null before the first check. */
  readonly checkedAt: bigint | null;
  /** The reason why it cannot be restored; null if the last check passed, or there was none. */
  readonly checkError: string | null;
}

/** The backups that a host makes on a schedule. */
export interface HostBackups {
  /** The folder or the bucket. */
  readonly place: string;
  readonly everyHours: number;
  readonly maxAgeHours: number;
  readonly checkDays: number;
  /** True while one is made or checked. */
  readonly isBusy: boolean;
  /** Returns the backups that still exist, the newest first. */
  list(call: Call): Promise<readonly HostBackup[]>;
  /** Makes a backup now. */
  make(call: Call): Promise<HostBackup>;
  /**
   * Restores a backup into a temporary file and compares it with what was backed up.
   *
   * @throws StartupError with the reason why it cannot be restored
   */
  check(call: Call, name: string): Promise<void>;
  /** Returns what is not as it should be. */
  degraded(): readonly string[];
}

/** Work that only a host can do for an installation, such as backups. */
export interface HostWork {
  readonly jobs: readonly OwnedJob[];
  readonly commands: readonly Command[];
  /** Reads what the database holds about the work, before the server starts. */
  load(call: Call): Promise<void>;
  /** A name of the machine that restarts do not change; empty on workers. */
  readonly machine: string;
  /** The alarms that only a host can look for. */
  readonly alarms: readonly AlarmSource[];
  /** Returns what is not as it should be although calls are served, for /readyz. */
  degraded(): readonly string[];
  /** Undefined if the installation manifest has no backups. */
  readonly backups?: HostBackups | undefined;
}

export type OpenHostWork = (parts: HostWorkParts) => HostWork;

/** The work of an installation without a host, as on workers. */
export const NO_HOST_WORK: OpenHostWork = () => ({
  jobs: [],
  commands: [],
  machine: "",
  alarms: [],
  load: () => Promise.resolve(),
  degraded: () => [],
});
