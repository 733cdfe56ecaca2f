import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table acmeAuthentications (
      token text not null primary key,
      key text not null,
      serverId integer not null,
      acmeTaskId integer not null
    ) strict, without rowid`.execute(db);
  await sql`create index acmeAuthentications_task on acmeAuthentications (acmeTaskId)`.execute(db);
}
