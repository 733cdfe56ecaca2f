import type { Call } from "./call.ts";
import type { Clock } from "./clock.ts";
import { kernelErrors } from "./errors.ts";
import type { KernelTables } from "./kernel_tables.ts";
import type { Db } from "./storage/database.ts";

/** Says in the database which of many instances does a job. A lease that its holder does not renew runs out. */
export class Leases {
  readonly #clock: Clock;
  readonly #holder: string;
  readonly #take;
  readonly #renew;
  readonly #find;
  readonly #release;

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
      q.selectFrom("kernel_leases").select("holder").where("name", "=", p.name)
    );
    this.#release = db.query((q, p: { name: string; holder: string }) =>
      q.deleteFrom("kernel_leases").where("name", "=", p.name).where("holder", "=", p.holder)
    );
  }

  /** True when the lease is this instance's now, until `milliseconds` from now. */
  async take(call: Call, name: string, milliseconds: number): Promise<boolean> {
    const now = BigInt(this.#clock.now());
    const lease = { name, holder: this.#holder, now, expiresAt: this.#until(milliseconds) };
    return await this.#take.run(call, lease) > 0n;
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

  async release(call: Call, name: string): Promise<void> {
    await this.#release.run(call, { name, holder: this.#holder });
  }

  #until(milliseconds: number): bigint {
    return BigInt(Math.ceil(this.#clock.now() + milliseconds));
  }
}

export function leaseLost(name: string) {
  return kernelErrors.unavailable(`the lease of the job ${name} is lost: another instance runs it`);
}
