import type { Migration } from "kysely/migration";

/** The migrations of one owner and the tables that they may access. */
export interface Migrations {
  readonly owner: string;
  readonly tables: ReadonlySet<string>;
  readonly migrations: Readonly<Record<string, Migration>>;
  /** The migrations whose statements the kernel makes, and may make otherwise in a later release. */
  readonly unhashed?: ReadonlySet<string>;
}
