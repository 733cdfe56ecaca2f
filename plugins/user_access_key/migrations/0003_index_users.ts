import { type Kysely, sql } from "kysely";

/** Finds the keys of a user, also for those who do not know whether it is an admin or a user. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index userAccessKeys_user on userAccessKeys (userId, id) where state = 1`.execute(db);
}
