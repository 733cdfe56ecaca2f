import type { Call } from "../../base/call.ts";
import type { Migration } from "kysely/migration";
import type { Db } from "../database.ts";

/** Tables that are derived from the rows of a plugin's table, so that the plugin need not list them in plugin.json. */
export interface DerivedTables {
  /** The names of all derived tables. */
  readonly tables: readonly string[];
  /** Makes the derived tables again. */
  readonly migration: Migration;
  /** The job that keeps them up to date, if there is one. */
  readonly job?: {
    readonly name: string;
    run(db: Db<unknown>): (call: Call) => Promise<void>;
  };
}
