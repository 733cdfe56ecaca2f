import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import { leaseLost, type Leases } from "./leases.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Job } from "../plugin_api/plugin.ts";

/** Each instance looks at least so often whether a job is due. */
const LOOK_SECONDS = 60;
/** Longer than from one look to the next, so that a lease passes on only when its holder missed its own turn. */
const LEASE_LOOKS = 2.5;
/** What giving leases back may take, however little time a stop has. */
const LEAST_RELEASE_MILLISECONDS = 1000;

/** A job of a plugin, or of the kernel. */
export interface OwnedJob extends Job {
  readonly owner: string;
}

/** A call for a job, and what its runner does with it. */
export interface JobCall {
  readonly call: Call;
  /** Aborts the call's signal. */
  cancel(reason: RpcError): void;
  /** Nothing can be done through the call any more. */
  end(): void;
}

export interface JobDeps {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** A call that may transact, for the named work, until a time in unix milliseconds. */
  readonly systemCall: (name: string, deadline?: number) => Call;
  /** The same for a job; none of its transactions commits if `fence` throws. */
  readonly jobCall: (name: string, fence: (call: Call) => Promise<void>) => JobCall;
}

interface Running {
  readonly done: Promise<void>;
  readonly cancel: (reason: RpcError) => void;
}

/**
 * Runs jobs in the background. Of many instances on one database one runs each: whoever holds its lease. When a job is
 * due the database knows, so that neither a restart nor another instance runs it more often.
 */
export class Jobs {
  readonly #deps: JobDeps;
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Map<string, Running>();
  readonly #leased = new Set<string>();
  #stopped: Promise<void> | undefined;

  constructor(deps: JobDeps) {
    this.#deps = deps;
  }

  /** Runs jobs from now on, each whenever it is due. */
  start(jobs: readonly OwnedJob[]): void {
    for (const job of jobs) this.#schedule(job);
  }

  #schedule(job: OwnedJob): void {
    if (this.#stopped !== undefined) return;
    const name = nameOf(job);
    const forget = this.#deps.timers.after(lookMilliseconds(job), () => {
      this.#waiting.delete(name);
      void this.runIfDue(job).finally(() => this.#schedule(job));
    });
    this.#waiting.set(name, forget);
  }

  /** Runs a job now, if this instance gets its lease and does not run it already. What it throws is logged. */
  run(job: OwnedJob): Promise<void> {
    return this.#run(job, false);
  }

  /** The same, if it is a period ago that any instance began it. */
  runIfDue(job: OwnedJob): Promise<void> {
    return this.#run(job, true);
  }

  async #run(job: OwnedJob, onlyDue: boolean): Promise<void> {
    const name = nameOf(job);
    if (this.#stopped !== undefined || this.#running.has(name)) return;
    const { leases, jobCall } = this.#deps;
    const { call, cancel, end } = jobCall(`job ${name}`, async (inner) => {
      // So a job that does not look at its signal ends with its next transaction.
      inner.signal.throwIfAborted();
      await leases.require(inner, name);
    });
    const done = this.#runLeased(job, onlyDue, call, cancel).finally(() => {
      end();
      this.#running.delete(name);
    });
    this.#running.set(name, { done, cancel });
    await done;
  }

  async #runLeased(
    job: OwnedJob,
    onlyDue: boolean,
    call: Call,
    cancel: (reason: RpcError) => void,
  ): Promise<void> {
    const { leases, systemCall, log } = this.#deps;
    const name = nameOf(job);
    let stopRenewing: (() => void) | undefined;
    try {
      const round = { name, lease: leaseMilliseconds(job), period: job.everySeconds * 1000, onlyDue };
      if (!await leases.mayBegin(systemCall("leases"), round)) return;
      if (!await systemCall("leases").transact((inner) => leases.begin(inner, round))) return;
      this.#leased.add(name);
      stopRenewing = this.#keepRenewing(job, () => cancel(leaseLost(name)));
      await job.run(call);
    } catch (error) {
      if (this.#stopped !== undefined && call.signal.aborted) log.info("a job was ended by the stop", { job: name });
      else log.error("a job failed", { job: name, error: errorText(error) });
    } finally {
      stopRenewing?.();
    }
  }

  /** Renews a lease with each look. A database that cannot be reached may come back while the lease lasts. */
  #keepRenewing(job: OwnedJob, lost: () => void): () => void {
    const { leases, systemCall, clock, timers, log } = this.#deps;
    const name = nameOf(job);
    const lease = leaseMilliseconds(job);
    let isOver = false;
    let expiresAt = clock.now() + lease;
    let forget = timers.after(lookMilliseconds(job), () => void renew());
    async function renew(): Promise<void> {
      try {
        const next = clock.now() + lease;
        const deadline = Date.now() + expiresAt - clock.now();
        if (!await systemCall("leases", deadline).transact((inner) => leases.renew(inner, name, lease))) expiresAt = 0;
        else expiresAt = next;
      } catch (error) {
        log.warn("a lease is not renewed", { job: name, error: errorText(error) });
      }
      if (isOver) return;
      if (clock.now() >= expiresAt) return lost();
      forget = timers.after(lookMilliseconds(job), () => void renew());
    }
    return () => {
      isOver = true;
      forget();
    };
  }

  /** Starts nothing more, tells what runs to end, waits for it at most so long, and lets other instances take over. */
  stop(limitMilliseconds: number): Promise<void> {
    return this.#stopped ??= this.#stop(limitMilliseconds);
  }

  async #stop(limitMilliseconds: number): Promise<void> {
    for (const forget of this.#waiting.values()) forget();
    for (const { cancel } of this.#running.values()) cancel(kernelErrors.unavailable("the server is stopping"));
    const expired = Promise.withResolvers<void>();
    const forget = this.#deps.timers.after(limitMilliseconds, expired.resolve);
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), expired.promise]);
    forget();
    await this.#releaseAll(limitMilliseconds);
  }

  /** What still runs keeps its lease until that runs out. */
  async #releaseAll(limitMilliseconds: number): Promise<void> {
    const { leases, systemCall, log } = this.#deps;
    const names = [...this.#leased].filter((name) => !this.#running.has(name));
    if (names.length === 0) return;
    try {
      await systemCall("leases", Date.now() + Math.max(LEAST_RELEASE_MILLISECONDS, limitMilliseconds)).transact(
        async (call) => {
          for (const name of names) await leases.release(call, name);
        },
      );
    } catch (error) {
      log.warn("leases are not released", { error: errorText(error) });
    }
  }
}

function nameOf({ owner, name }: OwnedJob): string {
  return `${owner}.${name}`;
}

function lookMilliseconds({ everySeconds }: OwnedJob): number {
  return Math.min(everySeconds, LOOK_SECONDS) * 1000;
}

function leaseMilliseconds(job: OwnedJob): number {
  return lookMilliseconds(job) * LEASE_LOOKS;
}
