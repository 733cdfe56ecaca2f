import type { Call } from "../base/call.ts";
import { type Contract, defineContract, providerOf } from "../base/contract.ts";
import { kernelErrors } from "../base/errors.ts";
import { KERNEL_VERSION } from "../base/version.ts";
import type { Operation } from "../calls/operation.ts";
import type { InstanceRecord, Instances } from "../jobs/instances.ts";
import type { JobRunRecord, JobRuns } from "../jobs/job_runs.ts";
import { type Jobs, nameOf, type OwnedJob } from "../jobs/jobs.ts";
import type { KernelLease, Leases } from "../jobs/leases.ts";
import type { Degradation } from "./degradation.ts";
import type { CheckedPlugin } from "./check/check.ts";
import type { HostBackup, HostBackups } from "./host_work.ts";
import { type PluginSetting, settingsOf } from "../plugin_api/plugin_settings.ts";

/** A plugin that runs. */
export interface InspectedPlugin {
  readonly name: string;
  readonly version: string;
  /** A sentence about what it is for; empty if it does not say so. */
  readonly description: string;
  readonly services: readonly string[];
  readonly modules: readonly string[];
  /** The names of the plugins whose contracts it uses. */
  readonly uses: readonly string[];
  /** The number of operations that it serves. */
  readonly operations: number;
  /** True if it has a part for machines, and so does less on workers. */
  readonly hasHost: boolean;
  readonly settings: readonly PluginSetting[];
}

/** A background job. Times are unix milliseconds. */
export interface InspectedJob {
  /** The name in the installation, such as `user_bill.close_bills`. */
  readonly name: string;
  /** The plugin, or `kernel`. */
  readonly owner: string;
  readonly everySeconds: number;
  /** True if this instance runs it now. */
  readonly isRunning: boolean;
  /** The last recorded run; undefined if there was none. Quick runs without an error are recorded once a minute. */
  readonly last: JobRunRecord | undefined;
  /** Undefined before the first run. */
  readonly lease: KernelLease | undefined;
}

/** A plugin that does not run, although the installation manifest enables it. */
export interface InspectedFailure {
  readonly name: string;
  /** The reason, for operators. */
  readonly error: string;
}

/** The backups of an installation. Times are unix milliseconds. */
export interface InspectedBackups {
  /** The folder or the bucket that keeps them. */
  readonly place: string;
  readonly everyHours: number;
  /** The age of the newest one from which the installation is degraded. */
  readonly maxAgeHours: number;
  readonly checkDays: number;
  /** True while one is made or checked. */
  readonly isBusy: boolean;
  /** The lines that say what is not as it should be. */
  readonly degraded: readonly string[];
  /** The backups that still exist, the newest first. */
  list(call: Call): Promise<readonly HostBackup[]>;
  /** Makes a backup now, apart from the call that asks for it. */
  make(): Promise<HostBackup>;
  /** Restores a backup into a temporary file and compares it with what was backed up. Throws if it cannot be restored. */
  check(name: string): Promise<void>;
}

/** Describes what runs in an installation, for plugins that show it to operators. It never contains secrets. */
export interface Inspection {
  readonly kernelVersion: string;
  /** The id of this instance, which is also the holder of its leases. */
  readonly instanceId: string;
  /** The number of calls that this instance serves now. */
  readonly callsInFlight: number;
  /** Returns the plugins in the order of their setup. */
  plugins(): readonly InspectedPlugin[];
  /** Returns the jobs of all plugins and of the kernel, by name. */
  jobs(call: Call): Promise<readonly InspectedJob[]>;
  /**
   * Runs a job now, and returns when it has ended. Its errors are logged and recorded.
   *
   * @returns false if another instance has the lease of the job: that one runs it within a minute
   * @throws RpcError not_found if there is no such job
   */
  runJob(name: string): Promise<boolean>;
  /** Returns the running instances, the oldest first; isolates of workers are not among them. */
  instances(call: Call): Promise<readonly InstanceRecord[]>;
  /** Returns the reason why the installation cannot serve calls now; undefined if it can. */
  notReady(): Promise<string | undefined>;
  /** Returns the plugins that do not run, because they failed or need one that failed. */
  failedPlugins(): readonly InspectedFailure[];
  /** Undefined if the installation manifest has no backups, and on workers. */
  readonly backups: InspectedBackups | undefined;
}

/**
 * The kernel's contract for what runs in the installation.
 *
 * @example
 * ```ts
 * requires: { inspection: Inspection },
 * setup({ route, systemCall, deps: { inspection } }) {
 *   route("/jobs.txt", async () => {
 *     const jobs = await inspection.jobs(systemCall("jobs"));
 *     return new Response(jobs.map(({ name }) => `${name}\n`).join(""));
 *   });
 * },
 * ```
 */
export const Inspection: Contract<Inspection> = defineContract("kernel.inspection");

/** The parts that exist only when all plugins are set up. */
export interface InspectedParts {
  readonly jobs: Jobs;
  readonly allJobs: readonly OwnedJob[];
  readonly leases: Leases;
  readonly runs: JobRuns;
  readonly instances: Instances;
  readonly notReady: () => Promise<string | undefined>;
  readonly callsInFlight: () => number;
  readonly backups: HostBackups | undefined;
  /** Creates a call for work that goes on when its caller no longer waits. */
  readonly systemCall: (name: string) => Call;
}

/** The implementation of the contract, which plugins get before the parts that it describes exist. */
export class KernelInspection implements Inspection {
  readonly kernelVersion = KERNEL_VERSION;
  readonly #plugins: readonly CheckedPlugin[];
  readonly #operations: readonly Operation[];
  readonly #degradation: Degradation;
  #attached: InspectedParts | undefined;

  /** @param operations complete when all plugins are set up */
  constructor(plugins: readonly CheckedPlugin[], operations: readonly Operation[], degradation: Degradation) {
    this.#plugins = plugins;
    this.#degradation = degradation;
    this.#operations = operations;
  }

  attach(parts: InspectedParts): void {
    this.#attached = parts;
  }

  get instanceId(): string {
    return this.#parts.instances.id;
  }

  get callsInFlight(): number {
    return this.#parts.callsInFlight();
  }

  plugins(): readonly InspectedPlugin[] {
    const served = Map.groupBy(this.#operations, ({ plugin }) => plugin);
    const running = this.#plugins.filter(({ use }) => !this.#degradation.has(use.plugin.manifest.name));
    return running.map(({ use: { plugin, config } }) => {
      const { name, version, description = "", services, modules = [], host } = plugin.manifest;
      return {
        ...{ name, version, description, services },
        modules: modules.map(({ code }) => code),
        uses: [...new Set(Object.values(plugin.requires ?? {}).map(providerOf))].filter((other) => other !== "kernel"),
        operations: served.get(name)?.length ?? 0,
        hasHost: host !== undefined,
        settings: settingsOf(plugin.config, config),
      };
    });
  }

  async jobs(call: Call): Promise<readonly InspectedJob[]> {
    const { jobs, allJobs, leases, runs } = this.#parts;
    const [lastRuns, allLeases] = await Promise.all([runs.all(call), leases.all(call)]);
    return allJobs.map((job) => {
      const name = nameOf(job);
      return {
        name,
        owner: job.owner,
        everySeconds: job.everySeconds,
        isRunning: jobs.isRunning(job),
        last: lastRuns.get(name),
        lease: allLeases.get(name),
      };
    }).sort((one, other) => one.name < other.name ? -1 : 1);
  }

  async runJob(name: string): Promise<boolean> {
    const { jobs, allJobs } = this.#parts;
    const job = allJobs.find((candidate) => nameOf(candidate) === name);
    if (job === undefined) throw kernelErrors.not_found(`the job "${name}"`);
    return await jobs.request(job);
  }

  instances(call: Call): Promise<readonly InstanceRecord[]> {
    return this.#parts.instances.all(call);
  }

  notReady(): Promise<string | undefined> {
    return this.#parts.notReady();
  }

  failedPlugins(): readonly InspectedFailure[] {
    return this.#degradation.failed.map(({ manifest: { name }, error }) => ({ name, error }));
  }

  get backups(): InspectedBackups | undefined {
    const { backups, systemCall } = this.#parts;
    if (backups === undefined) return undefined;
    const { place, everyHours, maxAgeHours, checkDays, isBusy } = backups;
    return {
      ...{ place, everyHours, maxAgeHours, checkDays, isBusy, degraded: backups.degraded() },
      list: (call) => backups.list(call),
      make: () => backups.make(systemCall("backup")),
      check: (name) => backups.check(systemCall("check of a backup"), name),
    };
  }

  get #parts(): InspectedParts {
    if (this.#attached === undefined) throw new Error("the installation has not started: call this after the setup");
    return this.#attached;
  }
}
