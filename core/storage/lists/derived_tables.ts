import type { Selectable } from "kysely";
import type { Migration } from "kysely/migration";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";

/** Tables that are derived from the rows of a plugin's table, so that the plugin need not list them in plugin.json. */
export interface DerivedTables {
  /** The table with the rows. */
  readonly table: string;
  /** The names of all derived tables. */
  readonly tables: readonly string[];
  /** Those of them that have one row each. */
  readonly singleRow?: readonly string[];
  /** Makes the derived tables again. */
  readonly migration: Migration;
  /** The job that keeps them up to date, if there is one. */
  readonly job?: {
    readonly name: string;
    run(db: Db<unknown>): (call: Call) => Promise<void>;
  };
}

/** The rows of a table. */
export type RowOf<Tables, Table> = Table extends keyof Tables ? Selectable<Tables[Table]> : never;

/** The database of a plugin; does not compile if it lacks the table or one of the columns. */
export type DbWith<Tables, Table, Column> = Table extends keyof Tables
  ? [Exclude<Column, keyof Tables[Table]>] extends [never] ? Db<Tables>
  : { readonly missingColumns: Exclude<Column, keyof Tables[Table]> }
  : { readonly missingTable: Table };
