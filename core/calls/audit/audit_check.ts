import type { Call } from "../../base/call.ts";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Db } from "../../storage/database.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import { type AuditVerification, headText } from "./verification.ts";

const NAME = "audit_verification";

/** The last verification of the chain. Times are unix milliseconds. */
export interface AuditCheckResult {
  readonly verifiedAt: number;
  readonly milliseconds: number;
  readonly records: number;
  readonly erased: number;
  /** The id and the hash of the last record, as in the log. */
  readonly head: string;
  /** The first errors of the chain; empty if it is whole. */
  readonly errors: readonly string[];
}

export interface AuditCheckDeps {
  readonly db: Db<KernelTables>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly verification: AuditVerification;
}

/** Verifies the chain of the audit log, and stores the result for all instances. */
export class AuditCheck {
  readonly #deps: AuditCheckDeps;
  readonly #stored;
  readonly #store;
  #last: AuditCheckResult | undefined;

  constructor(deps: AuditCheckDeps) {
    const { db, clock, metrics } = deps;
    this.#deps = deps;
    this.#stored = db.query((q) => q.selectFrom("kernel_settings").select("value").where("name", "=", NAME));
    this.#store = db.query((q, p: { value: string }) =>
      q.insertInto("kernel_settings").values({ name: NAME, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
    const { gauge } = metrics.ofPlugin("audit");
    gauge("broken", "1 if the last verification of the audit log found errors", () => this.degraded().length);
    gauge("verification_age_seconds", "Time since the last verification of the audit log", () => {
      return this.#last === undefined ? Infinity : (clock.now() - this.#last.verifiedAt) / 1000;
    });
  }

  /** Reads the last result, which may be that of another instance. */
  async load(call: Call): Promise<AuditCheckResult | undefined> {
    const { value } = await this.#stored.first(call, {}) ?? {};
    return this.#last = value === undefined ? undefined : JSON.parse(value) as AuditCheckResult;
  }

  /** Verifies the chain now. */
  async run(call: Call): Promise<void> {
    const { clock, log, verification } = this.#deps;
    const began = clock.now();
    const { records, erased, head, errors } = await verification.verify(call);
    const verifiedAt = clock.now();
    const result = { verifiedAt, milliseconds: verifiedAt - began, records, erased, head: headText(head), errors };
    await call.transact((inner) => this.#store.run(inner, { value: JSON.stringify(result) }));
    this.#last = result;
    if (errors.length > 0) log.error("the audit log is not whole", { errors: errors.join("; ") });
  }

  /** Returns what is not as it should be, for /readyz. */
  degraded(): readonly string[] {
    const { errors = [] } = this.#last ?? {};
    return errors.length === 0 ? [] : ["the audit log is not whole; the command audit verify names the records"];
  }
}
