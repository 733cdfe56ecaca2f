import { type Kysely, sql } from "kysely";

/** The sites of a user that are served by nodes beyond those of their cluster. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index servers_more_nodes_user on servers (userId, id)
    where state = 1 and length(includeNodesJSON) > 2`.execute(db);
}
