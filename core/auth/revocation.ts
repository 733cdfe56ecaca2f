import type { Call } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";
import { shared } from "../base/gate.ts";
import { kernelCall } from "../storage/kernel_call.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const SETTING = "revocationEpoch";
/**
 * How long an epoch that was read counts as today's, and how long a read may take: milliseconds. With what it takes to
 * act on it, less than the second that is promised.
 */
const FRESH_FOR = 900;
/** How much longer than it may take others wait for a read: milliseconds. */
const GRACE = 500;
/** A process that stood still while it read knows nothing new, and reads once more. */
const TRIES = 2;

/**
 * A counter that grows whenever a credential may have ended. Tokens that were found good at an older epoch are checked
 * against their credentials again.
 */
export class Revocation {
  #epoch = 0n;
  #read: Moment = { monotonic: -Infinity, wall: -Infinity };
  #reading: Promise<void> | undefined;
  readonly #isShared: boolean;
  readonly #find;
  readonly #increase;
  readonly #listeners = new Set<() => void>();

  /** @param isShared whether other instances may increase it too */
  constructor(db: Db<KernelTables>, isShared: boolean) {
    this.#isShared = isShared;
    this.#find = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_settings").select("value").where("name", "=", p.name)
    );
    this.#increase = db.query((q, p: { name: string; value: string }) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
  }

  get epoch(): bigint {
    return this.#epoch;
  }

  /** Milliseconds until the epoch must be read again; Infinity where nobody else increases it. */
  get freshFor(): number {
    return this.#isShared ? Math.max(0, FRESH_FOR - millisecondsSince(this.#read)) : Infinity;
  }

  /** Calls `listener` whenever the epoch has grown. Answers what to call when it should not any more. */
  onRise(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Makes sure that the epoch is less than a second old; undefined when it is.
   *
   * @param reading gives the call to read with, which ends at that time in unix milliseconds
   * @throws RpcError unavailable when it cannot be read in time
   */
  makeCurrent(reading: (deadline: number) => Call): Promise<void> | undefined {
    return this.freshFor > 0 ? undefined : this.#makeCurrent(reading);
  }

  async #makeCurrent(reading: (deadline: number) => Call): Promise<void> {
    for (let tries = 0; this.freshFor <= 0; tries++) {
      if (tries === TRIES) throw unknown("the database answers too late");
      const running = this.#reading ??= this.refresh(reading(Date.now() + FRESH_FOR)).catch((error) => {
        throw unknown(error.message);
      });
      try {
        await shared(running, FRESH_FOR + GRACE, () => unknown("the database answers too late"));
      } finally {
        if (this.#reading === running) this.#reading = undefined;
      }
    }
  }

  /** Takes over what other instances did. */
  async refresh(call: Call): Promise<void> {
    const startedAt = moment();
    const row = await this.#find.first(call, { name: SETTING });
    if (row !== undefined) this.#rise(BigInt(row.value));
    this.#read = startedAt;
  }

  /** In memory the epoch moves after COMMIT: earlier, a token could be found good by data that is about to change. */
  async increase(call: Call): Promise<void> {
    const row = await this.#find.first(call, { name: SETTING });
    const next = BigInt(row?.value ?? "0") + 1n;
    await this.#increase.run(call, { name: SETTING, value: String(next) });
    kernelCall(call).afterCommit(() => this.#rise(next));
  }

  /** Never falls: a read that began before a COMMIT may answer after it. */
  #rise(epoch: bigint): void {
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    for (const listener of this.#listeners) listener();
  }
}

interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

function moment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** By both clocks: one stands still while the machine sleeps, the other can be set back. */
function millisecondsSince({ monotonic, wall }: Moment): number {
  return Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall));
}

function unknown(cause: string) {
  return kernelErrors.unavailable(`whether access tokens still hold cannot be found out: ${cause}`);
}
