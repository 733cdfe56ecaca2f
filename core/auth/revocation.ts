import type { Call } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";
import { awaitShared } from "../base/gate.ts";
import { kernelCall } from "../storage/kernel_call.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const SETTING = "revocationEpoch";
/**
 * The maximum age of the epoch in milliseconds, and the timeout of reading it. It leaves some of the one second in
 * which a revocation must take effect.
 */
const MAX_AGE = 900;
/** The milliseconds beyond the timeout that other calls wait for a read. */
const GRACE = 500;
/** A process that was suspended during a read has a stale result, and reads again. */
const MAX_READS = 2;

/**
 * An epoch that increases whenever a credential may have been revoked. Tokens verified at an older epoch are checked
 * against their credentials again.
 */
export class Revocation {
  #epoch = 0n;
  #readAt: Moment = { monotonic: -Infinity, wall: -Infinity };
  #reading: Promise<void> | undefined;
  readonly #isShared: boolean;
  readonly #select;
  readonly #update;
  readonly #listeners = new Set<() => void>();

  /** @param isShared true if other instances can increase the epoch */
  constructor(db: Db<KernelTables>, isShared: boolean) {
    this.#isShared = isShared;
    this.#select = db.query((q, p: { name: string }) =>
      q.selectFrom("kernel_settings").select("value").where("name", "=", p.name)
    );
    this.#update = db.query((q, p: { name: string; value: string }) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
  }

  get epoch(): bigint {
    return this.#epoch;
  }

  /** The milliseconds until the epoch must be read again; Infinity if no other instance can increase it. */
  get millisecondsUntilStale(): number {
    return this.#isShared ? Math.max(0, MAX_AGE - millisecondsSince(this.#readAt)) : Infinity;
  }

  /**
   * Calls `listener` after every increase.
   *
   * @returns a function that removes the listener
   */
  onIncrease(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Reads the epoch if it is about a second old. Returns undefined if it is not.
   *
   * @param systemCall creates a call with a deadline in unix milliseconds
   * @throws RpcError unavailable if the epoch cannot be read in time
   */
  ensureFresh(systemCall: (deadline: number) => Call): Promise<void> | undefined {
    return this.millisecondsUntilStale > 0 ? undefined : this.#readFresh(systemCall);
  }

  async #readFresh(systemCall: (deadline: number) => Call): Promise<void> {
    for (let reads = 0; this.millisecondsUntilStale <= 0; reads++) {
      if (reads === MAX_READS) throw cannotCheck("the database is too slow");
      const reading = this.#reading ??= this.refresh(systemCall(Date.now() + MAX_AGE)).catch((error) => {
        throw cannotCheck(error.message);
      });
      try {
        await awaitShared(reading, MAX_AGE + GRACE, () => cannotCheck("the database is too slow"));
      } finally {
        if (this.#reading === reading) this.#reading = undefined;
      }
    }
  }

  /** Reads the epoch. */
  async refresh(call: Call): Promise<void> {
    const startedAt = moment();
    const row = await this.#select.first(call, { name: SETTING });
    if (row !== undefined) this.#advance(BigInt(row.value));
    this.#readAt = startedAt;
  }

  /** Reads the epoch that is stored now, for a token to be issued: a cached one could be that of an earlier end. */
  async stored(call: Call): Promise<bigint> {
    return BigInt((await this.#select.first(call, { name: SETTING }))?.value ?? "0");
  }

  /**
   * Increases the epoch and returns it. It is at least the current time in milliseconds, so that a database restored
   * from a backup does not repeat the epochs that followed the backup. In memory it takes effect after COMMIT: before that, tokens would be rechecked against the
   * state that the transaction is about to change.
   */
  async increase(call: Call): Promise<bigint> {
    const now = BigInt(Date.now());
    const following = await this.stored(call) + 1n;
    const next = following > now ? following : now;
    await this.#update.run(call, { name: SETTING, value: String(next) });
    kernelCall(call).afterCommit(() => this.#advance(next));
    return next;
  }

  /** Ignores an older epoch: a read that started before a COMMIT may return after it. */
  #advance(epoch: bigint): void {
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

/** Uses both clocks: the monotonic one may stop while the machine sleeps, and the wall clock can be set back. */
function millisecondsSince({ monotonic, wall }: Moment): number {
  return Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall));
}

function cannotCheck(cause: string) {
  return kernelErrors.unavailable(`cannot check access token revocation: ${cause}`);
}
