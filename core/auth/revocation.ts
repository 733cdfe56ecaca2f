import type { Call } from "../call.ts";
import { kernelCall } from "../kernel_call.ts";
import type { KernelTables } from "../kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const SETTING = "revocationEpoch";

/**
 * A counter that grows whenever a credential may have ended. Tokens that were found good at an older epoch are checked
 * against their credentials again.
 */
export class Revocation {
  #epoch = 0n;
  readonly #read;
  readonly #increase;

  constructor(db: Db<KernelTables>) {
    this.#read = db.query((q, p: { name: string }) =>
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

  /** Takes over what other instances did. */
  async refresh(call: Call): Promise<void> {
    const row = await this.#read.first(call, { name: SETTING });
    if (row !== undefined) this.#epoch = BigInt(row.value);
  }

  /** In memory the epoch moves after COMMIT: earlier, a token could be found good by data that is about to change. */
  async increase(call: Call): Promise<void> {
    const row = await this.#read.first(call, { name: SETTING });
    const next = BigInt(row?.value ?? "0") + 1n;
    await this.#increase.run(call, { name: SETTING, value: String(next) });
    kernelCall(call).afterCommit(() => this.#epoch = next);
  }
}
