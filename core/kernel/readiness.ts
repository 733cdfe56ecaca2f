import type { Call } from "../base/call.ts";
import { type Clock, type Timers, unixSeconds } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { awaitShared } from "../base/gate.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Db } from "../storage/database.ts";
import type { StorageEngine } from "../storage/engine.ts";

/** The time for which a result is reused, so that frequent requests do not load the database. */
const MAX_AGE_MILLISECONDS = 2000;
const TIMEOUT_MILLISECONDS = 2000;
const NAME = "readyAt";
const DATABASE_UNAVAILABLE = "the database is unavailable";

export interface ReadinessDeps {
  readonly db: Db<KernelTables>;
  readonly engine: Pick<StorageEngine, "unusable">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
  /** Reads what the database holds for `degraded`, which another instance may have written. */
  readonly refresh: (call: Call) => Promise<void>;
  /** Returns what is not as it should be although calls are served. */
  readonly degraded: () => readonly string[];
}

/** Checks that the database can be read and written by doing both, since there is no other way to detect a full disk. */
export class Readiness {
  readonly #deps: ReadinessDeps;
  readonly #write;
  #checkedAt = -Infinity;
  #result: Promise<string | undefined> = Promise.resolve(undefined);
  #lastReason: string | undefined;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
    this.#write = deps.db.query((q, p: KernelTables["kernel_settings"]) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
  }

  /** Returns the reason why the database is not usable, without details, which are logged; undefined if it is usable. */
  notReady(): Promise<string | undefined> {
    const { unusable } = this.#deps.engine;
    if (unusable !== undefined) return Promise.resolve(unusable);
    const now = this.#deps.clock.now();
    if (now - this.#checkedAt >= MAX_AGE_MILLISECONDS) {
      this.#checkedAt = now;
      this.#result = this.#check();
    }
    const timeout = () => new Error("the readiness check took too long");
    return awaitShared(this.#result, 2 * TIMEOUT_MILLISECONDS, timeout).catch(() => DATABASE_UNAVAILABLE);
  }

  /** Returns what is not as it should be although calls are served, each in one line. */
  degraded(): readonly string[] {
    return this.#deps.degraded();
  }

  async #check(): Promise<string | undefined> {
    const { timers, log } = this.#deps;
    const timeout = Promise.withResolvers<never>();
    const cancelTimer = timers.after(
      TIMEOUT_MILLISECONDS,
      () => timeout.reject(new Error("the database did not respond in time")),
    );
    let reason: string | undefined;
    try {
      await Promise.race([this.#readAndWrite(), timeout.promise]);
    } catch (error) {
      reason = DATABASE_UNAVAILABLE;
      if (this.#lastReason === undefined) log.error("not ready", { reason, error: errorText(error) });
    } finally {
      cancelTimer();
    }
    if (reason === undefined && this.#lastReason !== undefined) log.info("ready again");
    return this.#lastReason = reason;
  }

  async #readAndWrite(): Promise<void> {
    const { systemCall, db, clock } = this.#deps;
    const call = systemCall("readiness");
    await this.#deps.refresh(call);
    await db(call).selectFrom("kernel_settings").select("name").limit(1).execute();
    await call.transact((inner) => this.#write.run(inner, { name: NAME, value: String(unixSeconds(clock)) }));
  }
}
