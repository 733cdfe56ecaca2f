import { type Kysely, sql } from "kysely";

/** The installation's own domains (user 0) are never looked for by owner, so that they need not be in those indexes. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const name of ["nsDomains_user", "nsDomains_user_cluster"]) await sql`drop index ${sql.raw(name)}`.execute(db);
  for (
    const index of [
      "nsDomains_user on nsDomains (userId, id) where state = 1 and userId <> 0",
      "nsDomains_user_cluster on nsDomains (userId, nsClusterId, id) where state = 1 and userId <> 0",
    ]
  ) await sql`create index ${sql.raw(index)}`.execute(db);
}
