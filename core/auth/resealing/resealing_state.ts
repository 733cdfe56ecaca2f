import type { Call } from "../../base/call.ts";
import type { Db } from "../../storage/database.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";

const SETTING = "resealing";

/** The progress of sealing the values under earlier keys again. A crash loses nothing of it. */
export interface ResealingState {
  /** The id of the key under which values are sealed again. */
  readonly keyId: string;
  /** The beginning of the pass, in unix seconds. */
  readonly since: number;
  /** The column that the pass has reached, as `table.column`; empty before the first one. */
  readonly at: string;
  /** The number of the row that the pass has reached in the column. */
  readonly after: string;
  /** The values that were sealed again since the rotation. */
  readonly resealed: number;
  /** The values under earlier keys that this pass found. */
  readonly found: number;
  /** Those of them that could not be opened. */
  readonly unreadable: number;
  /** True once the pass has seen every column. */
  readonly isComplete: boolean;
  /** True for a pass that looks for values which other instances sealed under an earlier key while the first one ran. */
  readonly isCheck: boolean;
}

/** Returns the state at the beginning of a pass. */
export function beginning(keyId: string, since: number, previous?: ResealingState): ResealingState {
  return {
    ...{ keyId, since, at: "", after: "0", resealed: previous?.resealed ?? 0, found: 0, unreadable: 0 },
    ...{ isComplete: false, isCheck: previous !== undefined },
  };
}

/** Stores the state of the resealing in a setting of the kernel. */
export class ResealingStates {
  readonly #select;
  readonly #set;
  readonly #remove;

  constructor(db: Db<KernelTables>) {
    this.#select = db.query((q) => q.selectFrom("kernel_settings").select("value").where("name", "=", SETTING));
    this.#set = db.query((q, p: { value: string }) =>
      q.insertInto("kernel_settings").values({ name: SETTING, value: p.value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: p.value }))
    );
    this.#remove = db.query((q) => q.deleteFrom("kernel_settings").where("name", "=", SETTING));
  }

  async find(call: Call): Promise<ResealingState | undefined> {
    const row = await this.#select.first(call, {});
    return row && JSON.parse(row.value) as ResealingState;
  }

  async set(call: Call, state: ResealingState): Promise<void> {
    await this.#set.run(call, { value: JSON.stringify(state) });
  }

  async remove(call: Call): Promise<void> {
    await this.#remove.run(call, {});
  }
}
