import { type Kysely, sql } from "kysely";

/** The secret that signs web hooks, and the addresses that most report nodes cannot reach. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table reportNodeSettings add column sealedSecret text not null default ''`.execute(db);
  await sql`alter table reportNodeSettings add column noticeCount integer not null default 0`.execute(db);
  await sql`
    create table reportNodeOutages (
      addrId integer primary key,
      isTakenDown integer not null,
      createdAt integer not null
    ) strict`.execute(db);
}
