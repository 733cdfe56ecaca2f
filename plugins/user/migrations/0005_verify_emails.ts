import { type Kysely, sql } from "kysely";

/** Finds users by their verified address. Another address is not verified: a trigger, so that no statement forgets it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index users_verifiedEmail on users (verifiedEmail collate nocase)
      where state = 1 and verifiedEmail <> ''`.execute(db);
  await sql`
    create trigger users_email_changed after update of email on users
      when new.verifiedEmail <> '' and new.email <> old.email and new.email <> new.verifiedEmail
      begin update users set verifiedEmail = '' where id = new.id; end`.execute(db);
}
