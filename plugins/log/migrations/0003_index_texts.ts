import { type Kysely, sql } from "kysely";

/** Texts get a search index. Logs come into it in the background, up to `indexedId`; later ones are read one by one. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create virtual table logSearch
    using fts5(action, description, ip, content='', contentless_delete=1, detail=none, tokenize='trigram')`
    .execute(db);
  // by default removing logs rewrites the index again and again, and writers wait for it
  await sql`insert into logSearch (logSearch, rank) values ('deletemerge', 0)`.execute(db);
  await sql`create table logSearchState (id integer primary key, indexedId integer not null) strict`.execute(db);
  await sql`insert into logSearchState values (1, 0)`.execute(db);
}
