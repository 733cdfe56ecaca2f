import { sql, type SqlBool } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Clock } from "../../base/clock.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import type { Db } from "../../storage/database.ts";
import { anyOf } from "../../storage/parameters.ts";
import { liftKeyOf } from "./attempt_budgets.ts";

const PRUNE_BATCH_SIZE = 5000;

/** One more failure of a key. */
export interface FailureIncrement {
  readonly name: string;
  /** The number of failures that expire per millisecond. */
  readonly decayPerMillisecond: number;
}

/** The failures of a key at a time in unix milliseconds. */
export type LoginFailuresRow = KernelTables["kernel_login_failures"];

/** Stores login failures in the database, so that all instances share them and they survive a restart. */
export class LoginFailures {
  readonly #clock: Clock;
  readonly #retentionMilliseconds: number;
  readonly #select;
  readonly #add;
  readonly #markLifted;
  readonly #removeKey;
  readonly #removePlaces;
  readonly #prune;

  /** @param retentionSeconds the time after which all failures of a key have expired */
  constructor(db: Db<KernelTables>, clock: Clock, retentionSeconds: number) {
    this.#clock = clock;
    this.#retentionMilliseconds = retentionSeconds * 1000;
    this.#select = db.query((q, p: { names: string[] }) =>
      q.selectFrom("kernel_login_failures").selectAll().where("name", "in", anyOf(p.names))
    );
    // If this instance's clock is behind another's, no failure expires.
    this.#add = db.query((q, p: FailureIncrement & { now: bigint }) =>
      q.insertInto("kernel_login_failures").values({ name: p.name, failures: 1, at: p.now })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({
            failures: sql<
              number
            >`max(0.0, failures - max(0, ${p.now} - at) * ${p.decayPerMillisecond}) + 1.0`,
            at: sql<bigint>`max(at, ${p.now})`,
          })
        )
    );
    this.#markLifted = db.query((q, p: { name: string; now: bigint }) =>
      q.insertInto("kernel_login_failures").values({ name: p.name, failures: 0, at: p.now })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ at: p.now }))
    );
    this.#removeKey = db.query((q, p: { key: string }) =>
      q.deleteFrom("kernel_login_failures").where("name", "=", p.key)
    );
    this.#removePlaces = db.query((q, p: { from: string; before: string }) =>
      q.deleteFrom("kernel_login_failures").where(
        "name",
        "in",
        (places) =>
          places.selectFrom("kernel_login_failures").select("name").where("name", ">=", p.from)
            .where("name", "<", p.before).limit(sql.lit(PRUNE_BATCH_SIZE)),
      )
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_login_failures").where(
        "name",
        "in",
        (old) =>
          old.selectFrom("kernel_login_failures").select("name").where(sql<SqlBool>`at < ${p.before}`)
            .limit(sql.lit(PRUNE_BATCH_SIZE)),
      )
    );
  }

  find(call: Call, names: readonly string[]): Promise<LoginFailuresRow[]> {
    return this.#select.all(call, { names: [...names] });
  }

  async add(call: Call, increments: readonly FailureIncrement[]): Promise<void> {
    const now = BigInt(this.#clock.now());
    for (const increment of increments) await this.#add.defer(call, { ...increment, now });
  }

  /** Forgets the failures of keys. */
  async forget(call: Call, keys: readonly string[]): Promise<void> {
    const now = BigInt(this.#clock.now());
    for (const key of keys) {
      await this.#removeKey.run(call, { key });
      await this.#markLifted.run(call, { name: liftKeyOf(key), now });
    }
  }

  /** Forgets the failures of all keys that consist of `start`, a full stop and anything else. */
  async forgetPlaces(call: Call, start: string): Promise<void> {
    // The character after the full stop is the slash.
    const places = { from: `${start}.`, before: `${start}/` };
    while (await this.#removePlaces.run(call, places) >= PRUNE_BATCH_SIZE);
    await this.#markLifted.run(call, { name: liftKeyOf(start), now: BigInt(this.#clock.now()) });
  }

  /** Deletes a batch of expired rows. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = BigInt(this.#clock.now() - this.#retentionMilliseconds);
    return await this.#prune.run(call, { before }) === BigInt(PRUNE_BATCH_SIZE);
  }
}
