import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import { kernelErrors } from "../base/errors.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** A round of a job that comes again and again; times are milliseconds. */
export interface Round {
  readonly name: string;
  readonly lease: number;
  readonly period: number;
  /** Whether it waits until the job is due. */
  readonly onlyDue: boolean;
}

/** What is early by less than this share of the period is due: timers are not exact. */
const EARLY = 0.1;
/** A round that is due so many periods from now was written by a clock that was wrong. */
const NONSENSE = 2;

/** Says in the database which of many instances does a job. A lease that its holder does not renew runs out. */
export class Leases {
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #take;
  readonly #begin;
  readonly #renew;
  readonly #find;
  readonly #release;
  readonly #remove;

  /** @param holder names this instance, and no other */
  constructor(db: Db<KernelTables>, clock: Clock, holder: string) {
    this.#clock = clock;
    this.#holder = holder;
    this.#take = db.query((q, p: { name: string; holder: string; now: bigint; expiresAt: bigint }) =>
      q.insertInto("kernel_leases").values({ name: p.name, holder: p.holder, expiresAt: p.expiresAt })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({ holder: p.holder, expiresAt: p.expiresAt })
            .where((lease) => lease.or([lease("holder", "=", p.holder), lease("expiresAt", "<=", p.now)]))
        )
    );
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
    this.#release = db.query((q, p: { name: string; holder: string }) =>
      q.updateTable("kernel_leases").set({ holder: "", expiresAt: 0n })
        .where("name", "=", p.name).where("holder", "=", p.holder)
    );
    this.#remove = db.query((q, p: { name: string; holder: string }) =>
      q.deleteFrom("kernel_leases").where("name", "=", p.name).where("holder", "=", p.holder)
    );
  }

  /** True when the lease is this instance's now, until `milliseconds` from now. */
  async take(call: Call, name: string, milliseconds: number): Promise<boolean> {
    const now = BigInt(this.#clock.now());
    const lease = { name, holder: this.#holder, now, expiresAt: this.#until(milliseconds) };
    return await this.#take.run(call, lease) > 0n;
  }

  /** Whether a round could begin now, without writing: what another instance does costs this one a look. */
  async mayBegin(call: Call, { name, period, onlyDue }: Round): Promise<boolean> {
    const found = await this.#find.first(call, { name });
    if (found === undefined) return true;
    const now = this.#clock.now();
    if (found.holder !== this.#holder && Number(found.expiresAt) > now) return false;
    const left = Number(found.dueAt) - now;
    return !onlyDue || left <= period * EARLY || left > period * NONSENSE;
  }

  /** Takes the lease and begins a round, unless another instance is at it; the next one is due a period from now. */
  async begin(call: Call, round: Round): Promise<boolean> {
    if (!await this.mayBegin(call, round)) return false;
    const { name, lease, period } = round;
    const times = { expiresAt: this.#until(lease), dueAt: this.#until(period) };
    return await this.#begin.run(call, { name, holder: this.#holder, ...times }) > 0n;
  }

  /** False when another instance took it. One that ran out and that nobody took is this instance's still. */
  async renew(call: Call, name: string, milliseconds: number): Promise<boolean> {
    return await this.#renew.run(call, { name, holder: this.#holder, expiresAt: this.#until(milliseconds) }) > 0n;
  }

  /** Run in a transaction, it lets that commit only while the lease is this instance's. */
  async require(call: Call, name: string): Promise<void> {
    const lease = await this.#find.first(call, { name });
    if (lease?.holder !== this.#holder) throw leaseLost(name);
  }

  /** Lets others have it; when its job is due stays known. */
  async release(call: Call, name: string): Promise<void> {
    await this.#release.run(call, { name, holder: this.#holder });
  }

  /** Gives up a lease that nobody else will want. */
  async remove(call: Call, name: string): Promise<void> {
    await this.#remove.run(call, { name, holder: this.#holder });
  }

  #until(milliseconds: number): bigint {
    return BigInt(Math.ceil(this.#clock.now() + milliseconds));
  }
}

interface KernelLease {
  readonly name: string;
  readonly holder: string;
  readonly expiresAt: bigint;
  readonly dueAt: bigint;
}

export function leaseLost(name: string) {
  return kernelErrors.unavailable(`the lease of the job ${name} is lost: another instance runs it`);
}
