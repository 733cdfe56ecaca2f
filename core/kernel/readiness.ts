import type { Call } from "../base/call.ts";
import { type Clock, type Timers, unixSeconds } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { shared } from "../base/gate.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Db } from "../storage/database.ts";

/** However often it is asked, the database is tried once in this time. */
const KEPT_MILLISECONDS = 2000;
/** A database that does not answer so long is not there. */
const LIMIT_MILLISECONDS = 2000;
const NAME = "readyAt";

export interface ReadinessDeps {
  readonly db: Db<KernelTables>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
}

/** Whether the database can be read and written, by doing both: a full disk shows in no other way. */
export class Readiness {
  readonly #deps: ReadinessDeps;
  readonly #write;
  #triedAt = -Infinity;
  #tried: Promise<string | undefined> = Promise.resolve(undefined);
  #lastFault: string | undefined;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
    this.#write = deps.db.query((q, p: KernelTables["kernel_settings"]) =>
      q.insertInto("kernel_settings").values({ name: p.name, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
  }

  /** What hinders, in words for anybody; undefined when nothing does. The log says more. */
  fault(): Promise<string | undefined> {
    const now = this.#deps.clock.now();
    if (now - this.#triedAt >= KEPT_MILLISECONDS) {
      this.#triedAt = now;
      this.#tried = this.#try();
    }
    const late = () => new Error("it was not tried in time");
    return shared(this.#tried, 2 * LIMIT_MILLISECONDS, late).catch(() => "the database cannot be used");
  }

  async #try(): Promise<string | undefined> {
    const { timers, log } = this.#deps;
    const expired = Promise.withResolvers<never>();
    const forget = timers.after(LIMIT_MILLISECONDS, () => expired.reject(new Error("it does not answer in time")));
    let fault: string | undefined;
    try {
      await Promise.race([this.#use(), expired.promise]);
    } catch (error) {
      fault = "the database cannot be used";
      if (this.#lastFault === undefined) log.error("not ready", { reason: fault, error: errorText(error) });
    } finally {
      forget();
    }
    if (fault === undefined && this.#lastFault !== undefined) log.info("ready again");
    return this.#lastFault = fault;
  }

  async #use(): Promise<void> {
    const { systemCall, db, clock } = this.#deps;
    const call = systemCall("readiness");
    await db(call).selectFrom("kernel_settings").select("name").limit(1).execute();
    await call.transact((inner) => this.#write.run(inner, { name: NAME, value: String(unixSeconds(clock)) }));
  }
}
