import type { Call } from "../call.ts";
import { kernelErrors } from "../errors.ts";
import { kernelCall } from "../kernel_call.ts";
import type { KernelTables } from "../kernel_tables.ts";
import type { Db } from "../storage/database.ts";

const SETTING = "revocationEpoch";
/** How long an epoch that was read counts as today's, and how long a read may take: milliseconds. */
const FRESH_FOR = 1000;

/**
 * A counter that grows whenever a credential may have ended. Tokens that were found good at an older epoch are checked
 * against their credentials again.
 */
export class Revocation {
  #epoch = 0n;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  readonly #isShared: boolean;
  readonly #read;
  readonly #increase;

  /** @param isShared whether other instances may increase it too */
  constructor(db: Db<KernelTables>, isShared: boolean) {
    this.#isShared = isShared;
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

  /**
   * Makes sure that the epoch is at most a second old; undefined when it is.
   *
   * @param reading gives the call to read with, which ends at that time in unix milliseconds
   * @throws RpcError unavailable when it cannot be read within a second
   */
  makeCurrent(reading: (deadline: number) => Call): Promise<void> | undefined {
    if (!this.#isShared || performance.now() - this.#readAt < FRESH_FOR) return undefined;
    return this.#reading ??= this.refresh(reading(Date.now() + FRESH_FOR)).catch((error) => {
      throw kernelErrors.unavailable(`whether access tokens still hold cannot be found out: ${error.message}`);
    }).finally(() => this.#reading = undefined);
  }

  /** Takes over what other instances did. */
  async refresh(call: Call): Promise<void> {
    const startedAt = performance.now();
    const row = await this.#read.first(call, { name: SETTING });
    if (row !== undefined) this.#rise(BigInt(row.value));
    this.#readAt = startedAt;
  }

  /** In memory the epoch moves after COMMIT: earlier, a token could be found good by data that is about to change. */
  async increase(call: Call): Promise<void> {
    const row = await this.#read.first(call, { name: SETTING });
    const next = BigInt(row?.value ?? "0") + 1n;
    await this.#increase.run(call, { name: SETTING, value: String(next) });
    kernelCall(call).afterCommit(() => this.#rise(next));
  }

  /** Never falls: a read that began before a COMMIT may answer after it. */
  #rise(epoch: bigint): void {
    if (epoch > this.#epoch) this.#epoch = epoch;
  }
}
