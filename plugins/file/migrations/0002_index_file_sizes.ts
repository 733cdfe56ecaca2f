import { type Kysely, sql } from "kysely";

/** The sizes are in the index, so that the bytes of a user are summed without reading the rows. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index files_user`.execute(db);
  await sql`create index files_user on files (userId, id, size) where state = 1`.execute(db);
}
