import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import type { EndedRun, JobRuns } from "./job_runs.ts";
import { leaseLost, type Leases } from "./leases.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Job } from "../plugin_api/plugin.ts";

/** The maximum interval at which each instance checks whether a job is due. */
const MAX_POLL_SECONDS = 60;
/** The duration of a lease in poll intervals. It leaves time for two renewals, so one that fails does not lose it. */
const LEASE_POLLS = 2.5;
/** The minimum time for releasing leases, even if the stop has less. */
const MIN_RELEASE_MILLISECONDS = 1000;

/** A job of a plugin, or of the kernel. */
export interface OwnedJob extends Job {
  readonly owner: string;
}

/** A call for a job, with the functions that control it. */
export interface JobCall {
  readonly call: Call;
  /** Aborts the call's signal. */
  cancel(reason: RpcError): void;
  /** Ends the call: it can no longer be used. */
  end(): void;
}

export interface JobDeps {
  readonly leases: Leases;
  readonly runs: JobRuns;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** Creates a call of the installation itself, which may transact, with a deadline in unix milliseconds. */
  readonly systemCall: (name: string, deadline?: number) => Call;
  /** Creates a call for a job. `fence` runs before each COMMIT and prevents it by throwing. */
  readonly jobCall: (name: string, fence: (call: Call) => Promise<void>) => JobCall;
}

/** The reason of a run: the job was due, the installation itself wants it, or a person does. */
type Trigger = "due" | "now" | "request";

interface Running {
  /** False if another instance runs the job. */
  readonly done: Promise<boolean>;
  readonly cancel: (reason: RpcError) => void;
}

/**
 * Runs jobs in the background. Among the instances on one database, the holder of a job's lease runs it. The database
 * also stores when each job is due, so that neither a restart nor another instance runs it early.
 */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #scheduled = new Map<string, () => void>();
  readonly #running = new Map<string, Running>();
  readonly #leaseNames = new Set<string>();
  #stopped: Promise<void> | undefined;

  constructor(deps: JobDeps) {
    this.#deps = deps;
  }

  /** Starts to run each job whenever it is due. */
  start(jobs: readonly OwnedJob[]): void {
    for (const job of jobs) this.#schedule(job);
  }

  #schedule(job: OwnedJob): void {
    if (this.#stopped !== undefined) return;
    const name = nameOf(job);
    const cancelTimer = this.#deps.timers.after(pollMilliseconds(job), () => {
      this.#scheduled.delete(name);
      void this.runIfDue(job).finally(() => this.#schedule(job));
    });
    this.#scheduled.set(name, cancelTimer);
  }

  /** Runs a job now, if this instance gets its lease and is not running it already. Its errors are logged. */
  async run(job: OwnedJob): Promise<void> {
    await this.#run(job, "now");
  }

  /** Runs a job if it is due: no instance started it within its interval. */
  async runIfDue(job: OwnedJob): Promise<void> {
    await this.#run(job, "due");
  }

  /**
   * Runs a job because a person asks for it. If this instance runs it already, waits for that run.
   *
   * @returns false if another instance has the lease, which then runs it at its next poll
   */
  async request(job: OwnedJob): Promise<boolean> {
    const running = this.#running.get(nameOf(job));
    if (await (running?.done ?? this.#run(job, "request"))) return true;
    await this.#deps.systemCall("job request").transact((call) => this.#deps.leases.makeDue(call, nameOf(job)));
    return false;
  }

  /** True if this instance runs the job now. */
  isRunning(job: OwnedJob): boolean {
    return this.#running.has(nameOf(job));
  }

  async #run(job: OwnedJob, trigger: Trigger): Promise<boolean> {
    const name = nameOf(job);
    if (this.#stopped !== undefined || this.#running.has(name)) return false;
    const { leases, jobCall } = this.#deps;
    const { call, cancel, end } = jobCall(`job ${name}`, async (inner) => {
      // Ends a job that ignores its signal at its next transaction.
      inner.signal.throwIfAborted();
      await leases.require(inner, name);
    });
    const done = this.#runLeased(job, trigger, call, cancel).finally(() => {
      end();
      this.#running.delete(name);
    });
    this.#running.set(name, { done, cancel });
    return await done;
  }

  /** Returns false if another instance has the lease, or the job is not due. */
  async #runLeased(
    job: OwnedJob,
    trigger: Trigger,
    call: Call,
    cancel: (reason: RpcError) => void,
  ): Promise<boolean> {
    const { leases, systemCall, log, clock } = this.#deps;
    const name = nameOf(job);
    const startedAt = clock.now();
    const isRequested = trigger === "request";
    let stopRenewing: (() => void) | undefined;
    try {
      const onlyDue = trigger === "due";
      const run = { name, lease: leaseMilliseconds(job), interval: job.everySeconds * 1000, onlyDue };
      if (!await leases.canBegin(systemCall("leases"), run)) return false;
      if (!await systemCall("leases").transact((inner) => leases.begin(inner, run))) return false;
      this.#leaseNames.add(name);
      stopRenewing = this.#keepRenewing(job, () => cancel(leaseLost(name)));
      await job.run(call);
      await this.#record({ name, startedAt, error: undefined, isRequested });
    } catch (error) {
      if (this.#stopped !== undefined && call.signal.aborted) log.info("job stopped by shutdown", { job: name });
      else {
        log.error("job failed", { job: name, error: errorText(error) });
        await this.#record({ name, startedAt, error: messageOf(error), isRequested });
      }
    } finally {
      stopRenewing?.();
    }
    return true;
  }

  async #record(ended: EndedRun): Promise<void> {
    const { runs, systemCall, log } = this.#deps;
    if (!runs.isNews(ended)) return;
    try {
      await systemCall("job runs").transact((call) => runs.record(call, ended));
    } catch (error) {
      log.warn("job run not recorded", { job: ended.name, error: errorText(error) });
    }
  }

  /** Renews a lease at each poll, and retries until it expires. Returns a function that stops renewing. */
  #keepRenewing(job: OwnedJob, onLost: () => void): () => void {
    const { leases, systemCall, clock, timers, log } = this.#deps;
    const name = nameOf(job);
    const lease = leaseMilliseconds(job);
    let isStopped = false;
    let expiresAt = clock.now() + lease;
    let cancelTimer = timers.after(pollMilliseconds(job), () => void renew());
    async function renew(): Promise<void> {
      try {
        const renewedUntil = clock.now() + lease;
        const deadline = Date.now() + expiresAt - clock.now();
        const isRenewed = await systemCall("leases", deadline).transact((inner) => leases.renew(inner, name, lease));
        expiresAt = isRenewed ? renewedUntil : 0;
      } catch (error) {
        log.warn("lease renewal failed", { job: name, error: errorText(error) });
      }
      if (isStopped) return;
      if (clock.now() >= expiresAt) return onLost();
      cancelTimer = timers.after(pollMilliseconds(job), () => void renew());
    }
    return () => {
      isStopped = true;
      cancelTimer();
    };
  }

  /** Starts no more jobs, cancels the running ones, waits for them up to the limit, and releases their leases. */
  stop(limitMilliseconds: number): Promise<void> {
    return this.#stopped ??= this.#stop(limitMilliseconds);
  }

  async #stop(limitMilliseconds: number): Promise<void> {
    for (const cancelTimer of this.#scheduled.values()) cancelTimer();
    for (const { cancel } of this.#running.values()) cancel(kernelErrors.unavailable("the server is stopping"));
    const timeout = Promise.withResolvers<void>();
    const cancelTimer = this.#deps.timers.after(limitMilliseconds, timeout.resolve);
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), timeout.promise]);
    cancelTimer();
    await this.#releaseAll(limitMilliseconds);
  }

  /** Releases the leases of jobs that have ended. A job that is still running keeps its lease until it expires. */
  async #releaseAll(limitMilliseconds: number): Promise<void> {
    const { leases, systemCall, log } = this.#deps;
    const names = [...this.#leaseNames].filter((name) => !this.#running.has(name));
    if (names.length === 0) return;
    try {
      await systemCall("leases", Date.now() + Math.max(MIN_RELEASE_MILLISECONDS, limitMilliseconds)).transact(
        async (call) => {
          for (const name of names) await leases.release(call, name);
        },
      );
    } catch (error) {
      log.warn("leases not released", { error: errorText(error) });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the name of a job in the installation, such as `user_bill.close_bills`. */
export function nameOf({ owner, name }: OwnedJob): string {
  return `${owner}.${name}`;
}

function pollMilliseconds({ everySeconds }: OwnedJob): number {
  return Math.min(everySeconds, MAX_POLL_SECONDS) * 1000;
}

function leaseMilliseconds(job: OwnedJob): number {
  return pollMilliseconds(job) * LEASE_POLLS;
}
