import { type Kysely, sql } from "kysely";

/** Sites that are served by nodes beyond those of their cluster, so that such a node finds them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index servers_more_nodes on servers (id) where state = 1 and length(includeNodesJSON) > 2`
    .execute(db);
}
