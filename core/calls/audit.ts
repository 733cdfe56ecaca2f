import { type Call, callerId } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** How long a record is kept. */
const KEPT_SECONDS = 90n * 86_400n;
const PRUNED_AT_ONCE = 5000;

/** One record for each change, written inside the change's own transaction. */
export class Audit {
  readonly #clock: Clock;
  readonly #insert;
  readonly #prune;

  constructor(db: Db<KernelTables>, clock: Clock) {
    this.#clock = clock;
    this.#insert = db.query((q, p: Omit<KernelTables["kernel_audit"], "id">) =>
      q.insertInto("kernel_audit").values({
        createdAt: p.createdAt,
        requestId: p.requestId,
        role: p.role,
        callerId: p.callerId,
        operation: p.operation,
      })
    );
    this.#prune = db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_audit")
        .where(
          "id",
          "in",
          (oldest) => oldest.selectFrom("kernel_audit").select("id").orderBy("id").limit(PRUNED_AT_ONCE),
        )
        .where("createdAt", "<", p.before)
    );
  }

  async record(call: Call, operation: string): Promise<void> {
    await this.#insert.defer(call, {
      createdAt: unixSeconds(this.#clock),
      requestId: call.requestId,
      role: call.caller.role,
      callerId: callerId(call.caller),
      operation,
    });
  }

  /** Removes what is too old, a bounded number at a time; true when there may be more. */
  async prune(call: Call): Promise<boolean> {
    const removed = await this.#prune.run(call, { before: unixSeconds(this.#clock) - KEPT_SECONDS });
    return removed === BigInt(PRUNED_AT_ONCE);
  }
}
