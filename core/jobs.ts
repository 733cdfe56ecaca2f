import type { Call } from "./call.ts";
import type { Clock } from "./clock.ts";
import type { KernelTables } from "./kernel_tables.ts";
import { faultText, type Logger } from "./log.ts";
import type { Job } from "./plugin.ts";
import type { Db } from "./storage/database.ts";

/** The first round of a job comes no later. */
const FIRST_SECONDS = 60;

/** A job of a plugin, or of the kernel. */
export interface OwnedJob extends Job {
  readonly owner: string;
}

export interface JobParts {
  readonly db: Db<KernelTables>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this process, so that of many instances one runs a job. */
  readonly instance: string;
  /** A call that may transact, for the named work; `beforeCommit` runs in its transactions if instances share a database. */
  readonly systemCall: (name: string, beforeCommit?: (call: Call) => Promise<void>) => Call;
}

/** Runs jobs in the background. Of many instances on one database one runs each: whoever holds its lease. */
export class Jobs {
  readonly #parts: JobParts;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #running = new Set<Promise<void>>();
  readonly #takeLease;
  readonly #keepLease;
  #stopped = false;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#takeLease = parts.db.query((q, p: { name: string; holder: string; now: bigint; expiresAt: bigint }) =>
      q.insertInto("kernel_leases").values({ name: p.name, holder: p.holder, expiresAt: p.expiresAt })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({ holder: p.holder, expiresAt: p.expiresAt })
            .where((lease) => lease.or([lease("holder", "=", p.holder), lease("expiresAt", "<=", p.now)]))
        )
    );
    this.#keepLease = parts.db.query((q, p: { name: string; holder: string; expiresAt: bigint }) =>
      q.updateTable("kernel_leases").set({ expiresAt: p.expiresAt })
        .where("name", "=", p.name).where("holder", "=", p.holder)
    );
  }

  /** The first round comes soon, so that a process that is restarted often still runs what is rarely due. */
  start(jobs: readonly OwnedJob[]): void {
    for (const job of jobs) this.#schedule(job, Math.min(job.everySeconds, FIRST_SECONDS));
  }

  #schedule(job: OwnedJob, seconds = job.everySeconds): void {
    if (this.#stopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const run = this.run(job).finally(() => {
        this.#running.delete(run);
        this.#schedule(job);
      });
      this.#running.add(run);
    }, seconds * 1000);
    this.#timers.add(timer);
  }

  /** Runs a job now, if this instance gets its lease. What it throws is logged. */
  async run(job: OwnedJob): Promise<void> {
    const { log, systemCall } = this.#parts;
    const name = `${job.owner}.${job.name}`;
    try {
      if (!await this.#lease(systemCall(`job ${name}`), name, job.everySeconds)) return;
      await job.run(systemCall(`job ${name}`, (inner) => this.#requireLease(inner, name, job.everySeconds)));
    } catch (error) {
      log.error("a job failed", { job: name, error: faultText(error) });
    }
  }

  #lease(call: Call, name: string, everySeconds: number): Promise<boolean> {
    const { clock, instance: holder } = this.#parts;
    const lease = { name, holder, now: BigInt(clock.now()), expiresAt: this.#expiry(everySeconds) };
    return call.transact(async (inner) => await this.#takeLease.run(inner, lease) > 0n);
  }

  /** An instance that stood still for long may not write once another one has taken its job over. */
  async #requireLease(call: Call, name: string, everySeconds: number): Promise<void> {
    const lease = { name, holder: this.#parts.instance, expiresAt: this.#expiry(everySeconds) };
    if (await this.#keepLease.run(call, lease) === 0n) throw new Error(`another instance runs the job ${name} now`);
  }

  /** Longer than a period, so that a lease passes on only when its holder missed its own turn. */
  #expiry(everySeconds: number): bigint {
    return BigInt(this.#parts.clock.now()) + BigInt(Math.ceil(everySeconds * 2500));
  }

  /** Starts nothing more, and waits for what runs, at most so long. */
  async stop(limitMilliseconds: number): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    let limit: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<void>((resolve) => limit = setTimeout(resolve, limitMilliseconds));
    await Promise.race([Promise.all(this.#running), expired]);
    clearTimeout(limit);
  }
}
