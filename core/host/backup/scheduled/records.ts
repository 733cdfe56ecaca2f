import type { Call } from "../../../base/call.ts";
import type { Db } from "../../../storage/database.ts";
import type { KernelTables } from "../../../storage/kernel_tables.ts";

/** A backup that was made, with its last check. Times are unix milliseconds. */
export type BackupRecord = KernelTables["kernel_backups"];

/** The outcome of a check. */
export interface RecordedCheck {
  readonly name: string;
  readonly checkedAt: bigint;
  readonly checkError: string | null;
}

/** The backups that the database knows of. */
export class BackupRecords {
  readonly #all;
  readonly #insert;
  readonly #recordCheck;
  readonly #remove;

  constructor(db: Db<KernelTables>) {
    this.#all = db.query((q) => q.selectFrom("kernel_backups").selectAll().orderBy("madeAt", "desc"));
    this.#insert = db.query((q, p: Pick<BackupRecord, "name" | "madeAt" | "bytes" | "rows">) =>
      q.insertInto("kernel_backups").values({ name: p.name, madeAt: p.madeAt, bytes: p.bytes, rows: p.rows })
    );
    this.#recordCheck = db.query((q, p: RecordedCheck) =>
      q.updateTable("kernel_backups").set({ checkedAt: p.checkedAt, checkError: p.checkError })
        .where("name", "=", p.name)
    );
    this.#remove = db.query((q, p: { name: string }) => q.deleteFrom("kernel_backups").where("name", "=", p.name));
  }

  /** Returns all records, the newest first. */
  async all(call: Call): Promise<BackupRecord[]> {
    return await this.#all.all(call, {});
  }

  async insert(call: Call, record: Pick<BackupRecord, "name" | "madeAt" | "bytes" | "rows">): Promise<void> {
    await call.transact((inner) => this.#insert.run(inner, record));
  }

  async recordCheck(call: Call, check: RecordedCheck): Promise<void> {
    await call.transact((inner) => this.#recordCheck.run(inner, check));
  }

  async remove(call: Call, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await call.transact(async (inner) => {
      for (const name of names) await this.#remove.run(inner, { name });
    });
  }
}
