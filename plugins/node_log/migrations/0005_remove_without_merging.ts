import { type Kysely, sql } from "kysely";

/** Removing logs rewrote the search index again and again, and writers waited for it; what is added merges it too. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`insert into nodeLogSearch (nodeLogSearch, rank) values ('deletemerge', 0)`.execute(db);
}
