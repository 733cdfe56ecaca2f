import { type Kysely, sql } from "kysely";

/** The values that verify domains are derived from a secret, so that they can be read without writing. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomainSecrets (
      id integer primary key check (id = 1),
      verification blob not null
    ) strict`.execute(db);
  await sql`insert into nsDomainSecrets (id, verification) values (1, randomblob(32))`.execute(db);
}
