import { type Kysely, sql } from "kysely";

/** Whose sites use a reverse proxy, which decides with whom it is shared. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index servers_proxy_owner on servers (reverseProxyId, userId)
      where state = 1 and reverseProxyId <> 0`.execute(db);
}
