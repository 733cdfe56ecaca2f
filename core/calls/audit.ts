import { type Call, callerId } from "../base/call.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** The age at which a record is deleted: 90 days. */
const RETENTION_SECONDS = 90n * 86_400n;
const PRUNE_BATCH_SIZE = 5000;

/** The audit log. Each change has a record, which is written in the transaction of the change. */
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
          (oldest) => oldest.selectFrom("kernel_audit").select("id").orderBy("id").limit(PRUNE_BATCH_SIZE),
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

  /** Deletes a batch of expired records. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const deleted = await this.#prune.run(call, { before: unixSeconds(this.#clock) - RETENTION_SECONDS });
    return deleted === BigInt(PRUNE_BATCH_SIZE);
  }
}
