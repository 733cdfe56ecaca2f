import { sql, type SqlBool } from "kysely";
import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";
import { anyOf } from "../storage/parameters.ts";

const PRUNED_AT_ONCE = 5000;

/** Whose failures, and how many are forgotten in a millisecond. */
export interface FailureCount {
  readonly name: string;
  readonly forgottenPerMillisecond: number;
}

/** Failures as they stood at a time in unix milliseconds. */
export type KnownFailures = KernelTables["kernel_login_failures"];

/** The failures that all instances count together, also over a restart. */
export class LoginFailures {
  readonly #clock: Clock;
  readonly #keptMilliseconds: number;
  readonly #find;
  readonly #add;
  readonly #prune;

  /** @param keptSeconds after which failures are forgotten whole */
  constructor(db: Db<KernelTables>, clock: Clock, keptSeconds: number) {
    this.#clock = clock;
    this.#keptMilliseconds = keptSeconds * 1000;
    this.#find = db.query((q, p: { names: string[] }) =>
      q.selectFrom("kernel_login_failures").selectAll().where("name", "in", anyOf(p.names))
    );
    // A clock that is behind another instance's forgets nothing.
    this.#add = db.query((q, p: FailureCount & { now: bigint }) =>
      q.insertInto("kernel_login_failures").values({ name: p.name, failures: 1, at: p.now })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({
            failures: sql<
              number
            >`max(0.0, failures - max(0, ${p.now} - at) * ${p.forgottenPerMillisecond}) + 1.0`,
            at: sql<bigint>`max(at, ${p.now})`,
          })
        )
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_login_failures").where(
        "name",
        "in",
        (old) =>
          old.selectFrom("kernel_login_failures").select("name").where(sql<SqlBool>`at < ${p.before}`)
            .limit(sql.lit(PRUNED_AT_ONCE)),
      )
    );
  }

  of(call: Call, names: readonly string[]): Promise<KnownFailures[]> {
    return this.#find.all(call, { names: [...names] });
  }

  /** One more failure of each. */
  async add(call: Call, counts: readonly FailureCount[]): Promise<void> {
    const now = BigInt(this.#clock.now());
    for (const count of counts) await this.#add.defer(call, { ...count, now });
  }

  /** Removes what counts no more, a bounded number at a time; true when there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = BigInt(this.#clock.now() - this.#keptMilliseconds);
    return await this.#prune.run(call, { before }) === BigInt(PRUNED_AT_ONCE);
  }
}
