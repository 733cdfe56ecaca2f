import { type Kysely, sql } from "kysely";

/** The one state of a user, which replaces the mark of users whose sites are not served. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table users add column userState text not null default ''`.execute(db);
  // The job suspends again whom it finds to owe money, and frees the others.
  await sql`
    update users set userState = case
      when state = 0 then 'deleted'
      when isRejected = 1 then 'rejected'
      when isOn = 0 then 'off'
      when hasServers = 0 then 'suspended'
      when isVerified = 0 then 'unverified'
      else 'verified' end`.execute(db);
  await sql`alter table users drop column hasServers`.execute(db);
}
