import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table sslCerts add column acmeTaskId integer not null default 0`.execute(db);
}
