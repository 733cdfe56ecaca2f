import type { InstallationKey } from "../auth/installation_key.ts";
import type { Call } from "../base/call.ts";
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

/** Work that only a host can do for an installation, such as backups. */
export interface HostWork {
  readonly jobs: readonly OwnedJob[];
  readonly commands: readonly Command[];
  /** Reads what the database holds about the work, before the server starts. */
  load(call: Call): Promise<void>;
  /** Returns what is not as it should be although calls are served, for /readyz. */
  degraded(): readonly string[];
}

export type OpenHostWork = (parts: HostWorkParts) => HostWork;

/** The work of an installation without a host, as on workers. */
export const NO_HOST_WORK: OpenHostWork = () => ({
  jobs: [],
  commands: [],
  load: () => Promise.resolve(),
  degraded: () => [],
});
