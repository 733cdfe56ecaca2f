import { type Kysely, sql } from "kysely";

/** The texts of confidential messages are sealed until they are sent. A trigger empties them: no statement can forget it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table messageTasks add column sealedText text not null default ''`.execute(db);
  await sql`alter table messageTasks add column sealedPlace text not null default ''`.execute(db);
  await sql`alter table messageTasks add column expiresAt integer not null default 0`.execute(db);
  await sql`
    create index messageTasks_expiresAt on messageTasks (expiresAt)
      where sealedText <> '' and status = 0`.execute(db);
  await sql`
    create trigger messageTasks_emptied after update of status, state on messageTasks
      when new.sealedText <> '' and (new.status in (2, 3) or new.state = 0)
      begin update messageTasks set sealedText = '' where id = new.id; end`.execute(db);
}
