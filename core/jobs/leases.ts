import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import { kernelErrors } from "../base/errors.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** One run of a recurring job. Times are milliseconds. */
export interface JobRun {
  readonly name: string;
  readonly lease: number;
  readonly interval: number;
  /** True if it may begin only when the job is due. */
  readonly onlyDue: boolean;
}

/** The share of the interval by which a run may begin early, because timers are not exact. */
const EARLY_TOLERANCE = 0.1;
/** A due time that is more intervals away was written by an instance whose clock was wrong. */
const MAX_PLAUSIBLE_INTERVALS = 2;

/** Leases in the database, which decide which instance runs a job. A lease expires unless its holder renews it. */
export class Leases {
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #begin;
  readonly #renew;
  readonly #find;
  readonly #release;
  readonly #all;
  readonly #makeDue;

  /** @param holder a unique name of this instance */
  constructor(db: Db<KernelTables>, clock: Clock, holder: string) {
    this.#clock = clock;
    this.#holder = holder;
    this.#renew = db.query((q, p: { name: string; holder: string; expiresAt: bigint }) =>
      q.updateTable("kernel_leases").set({ expiresAt: p.expiresAt })
        .where("name", "=", p.name).where("holder", "=", p.holder)
    );
    this.#find = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_leases").selectAll().where("name", "=", p.name)
    );
    this.#begin = db.query((q, p: KernelLease) =>
      q.insertInto("kernel_leases").values({
        name: p.name,
        holder: p.holder,
        expiresAt: p.expiresAt,
        dueAt: p.dueAt,
      }).onConflict((conflict) =>
        conflict.column("name").doUpdateSet({ holder: p.holder, expiresAt: p.expiresAt, dueAt: p.dueAt })
      )
    );
    this.#all = db.query((q) => q.selectFrom("kernel_leases").selectAll());
    this.#makeDue = db.query((q, p: { name: string }) =>
      q.updateTable("kernel_leases").set({ dueAt: 0n }).where("name", "=", p.name)
    );
    this.#release = db.query((q, p: { name: string; holder: string }) =>
      q.updateTable("kernel_leases").set({ holder: "", expiresAt: 0n })
        .where("name", "=", p.name).where("holder", "=", p.holder)
    );
  }

  /** Returns all leases by the names of their jobs. */
  async all(call: Call): Promise<ReadonlyMap<string, KernelLease>> {
    return new Map((await this.#all.all(call, {})).map((lease) => [lease.name, lease]));
  }

  /** Makes a job due, so that the instance with its lease runs it at its next poll. */
  async makeDue(call: Call, name: string): Promise<void> {
    await this.#makeDue.run(call, { name });
  }

  /** Returns true if a run could begin now. It only reads, so checking a job that another instance runs is cheap. */
  async canBegin(call: Call, { name, interval, onlyDue }: JobRun): Promise<boolean> {
    const found = await this.#find.first(call, { name });
    if (found === undefined) return true;
    const now = this.#clock.now();
    if (found.holder !== this.#holder && Number(found.expiresAt) > now) return false;
    const remaining = Number(found.dueAt) - now;
    return !onlyDue || remaining <= interval * EARLY_TOLERANCE || remaining > interval * MAX_PLAUSIBLE_INTERVALS;
  }

  /** Acquires the lease for a run and sets the due time of the next one. Returns false if the run may not begin. */
  async begin(call: Call, run: JobRun): Promise<boolean> {
    if (!await this.canBegin(call, run)) return false;
    const { name, lease, interval } = run;
    const times = { expiresAt: this.#fromNow(lease), dueAt: this.#fromNow(interval) };
    return await this.#begin.run(call, { name, holder: this.#holder, ...times }) > 0n;
  }

  /** Returns false if another instance acquired the lease. An expired lease that no other instance acquired is renewed. */
  async renew(call: Call, name: string, milliseconds: number): Promise<boolean> {
    return await this.#renew.run(call, { name, holder: this.#holder, expiresAt: this.#fromNow(milliseconds) }) > 0n;
  }

  /** @throws RpcError unavailable if this instance does not hold the lease; call it inside the guarded transaction */
  async require(call: Call, name: string): Promise<void> {
    const lease = await this.#find.first(call, { name });
    if (lease?.holder !== this.#holder) throw leaseLost(name);
  }

  /** Releases a lease. The due time of its job is kept. */
  async release(call: Call, name: string): Promise<void> {
    await this.#release.run(call, { name, holder: this.#holder });
  }

  #fromNow(milliseconds: number): bigint {
    return BigInt(Math.ceil(this.#clock.now() + milliseconds));
  }
}

/** A lease. Times are unix milliseconds. */
export interface KernelLease {
  readonly name: string;
  readonly holder: string;
  readonly expiresAt: bigint;
  readonly dueAt: bigint;
}

export function leaseLost(name: string) {
  return kernelErrors.unavailable(`lost the lease of job ${name}: another instance runs it`);
}
