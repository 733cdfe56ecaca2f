import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** The interval at which an instance says that it is there. */
const SEEN_MILLISECONDS = 60_000;
/** An instance that was not seen for this time is gone: it missed two intervals. */
export const GONE_MILLISECONDS = 150_000;

/** A running instance. Times are unix milliseconds. */
export type InstanceRecord = KernelTables["kernel_instances"];

export interface InstanceDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string, deadline?: number) => Call;
}

/** Tells the other instances on a shared database that this one runs. */
export class Instances {
  readonly #deps: InstanceDeps;
  readonly #self: Omit<InstanceRecord, "seenAt">;
  readonly #isShared: boolean;
  readonly #upsert;
  readonly #live;
  readonly #delete;
  readonly #prune;
  #cancelTimer: (() => void) | undefined;
  #saying: Promise<void> = Promise.resolve();

  /** @param isShared false if this is the only instance, which then writes nothing */
  constructor(db: Db<KernelTables>, self: Omit<InstanceRecord, "seenAt">, isShared: boolean, deps: InstanceDeps) {
    this.#deps = deps;
    this.#self = self;
    this.#isShared = isShared;
    this.#upsert = db.query((q, p: InstanceRecord) =>
      q.insertInto("kernel_instances").values({
        id: p.id,
        startedAt: p.startedAt,
        seenAt: p.seenAt,
        version: p.version,
        runtime: p.runtime,
      }).onConflict((conflict) => conflict.column("id").doUpdateSet({ seenAt: p.seenAt }))
    );
    this.#live = db.query((q, p: { since: bigint }) =>
      q.selectFrom("kernel_instances").selectAll().where("seenAt", ">", p.since).orderBy("startedAt").orderBy("id")
    );
    this.#delete = db.query((q, p: { id: string }) => q.deleteFrom("kernel_instances").where("id", "=", p.id));
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_instances").where("seenAt", "<=", p.before)
    );
  }

  /** The id of this instance. */
  get id(): string {
    return this.#self.id;
  }

  /** Returns the running instances, the oldest first. Isolates of workers come and go, and are not among them. */
  async all(call: Call): Promise<readonly InstanceRecord[]> {
    const now = BigInt(Math.floor(this.#deps.clock.now()));
    if (!this.#isShared) return [{ ...this.#self, seenAt: now }];
    return await this.#live.all(call, { since: now - BigInt(GONE_MILLISECONDS) });
  }

  /** Begins to say that this instance is there. */
  start(): void {
    if (this.#isShared) this.#say();
  }

  #say(): void {
    this.#cancelTimer = this.#deps.timers.after(SEEN_MILLISECONDS, () => this.#say());
    const seenAt = BigInt(Math.floor(this.#deps.clock.now()));
    this.#saying = this.#write("instance", (call) => this.#upsert.run(call, { ...this.#self, seenAt }));
  }

  /** Says that this instance is gone, within a time limit. */
  async stop(limitMilliseconds: number): Promise<void> {
    if (this.#cancelTimer === undefined) return;
    this.#cancelTimer();
    await this.#saying;
    await this.#write("instance stop", (call) => this.#delete.run(call, { id: this.#self.id }), limitMilliseconds);
  }

  /** Deletes what instances left that ended without saying so. */
  async prune(call: Call): Promise<boolean> {
    await this.#prune.run(call, { before: BigInt(Math.floor(this.#deps.clock.now()) - GONE_MILLISECONDS) });
    return false;
  }

  async #write(
    name: string,
    work: (call: Call) => Promise<unknown>,
    limitMilliseconds = SEEN_MILLISECONDS,
  ): Promise<void> {
    const { systemCall, log } = this.#deps;
    try {
      await systemCall(name, Date.now() + limitMilliseconds).transact(work);
    } catch (error) {
      log.warn("instance not recorded", { error: errorText(error) });
    }
  }
}
