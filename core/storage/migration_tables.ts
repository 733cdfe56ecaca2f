import { type DatabaseIntrospector, type Kysely, sql, type TableMetadata } from "kysely";

/**
 * Finds the tables for a Migrator, which asks several times for each plugin whether its own tables exist and would
 * otherwise read the columns of all tables each time. Their columns are left out.
 */
export class MigrationTables implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  getSchemas(): Promise<[]> {
    return Promise.resolve([]);
  }

  async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master
      where type = 'table' and (name like 'migration\\_%' escape '\\' or name = 'kernel_migration_lock')
    `.execute(this.#db);
    return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  }
}
