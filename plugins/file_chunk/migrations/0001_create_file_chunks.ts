import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table fileChunks (
      id integer primary key autoincrement,
      fileId integer not null,
      data blob not null
    ) strict`.execute(db);
  await sql`create index fileChunks_file on fileChunks (fileId, id)`.execute(db);
  await sql`create table fileChunkTotals (fileId integer primary key, bytes integer not null) strict`.execute(db);
  // Deleted files whose chunks are still to be removed.
  await sql`create table fileChunkRemovals (fileId integer primary key) strict`.execute(db);
}
