import { type Kysely, sql } from "kysely";

/** The users who created policies; 0 if the installation did, or the owner is that of the server. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table httpFirewallPolicies add column userId integer not null default 0`.execute(db);
  await sql`
    create index httpFirewallPolicies_user on httpFirewallPolicies (userId)
      where state = 1 and userId <> 0`.execute(db);
}
