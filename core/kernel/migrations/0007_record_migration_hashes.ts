import { type Kysely, sql } from "kysely";

/** The hashes of the migrations that have run, by which one that changed later is found. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_migration_hashes (
      owner text not null,
      name text not null,
      hash text not null,
      primary key (owner, name)
    ) strict, without rowid`.execute(db);
}
