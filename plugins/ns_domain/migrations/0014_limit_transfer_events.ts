import { type Kysely, sql } from "kysely";

/** When a user last wanted a domain that is verified for another owner, so that one event a day says so. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsDomainTransferAsks (
      id integer primary key,
      nsDomainId integer not null,
      userId integer not null,
      askedAt integer not null,
      unique (nsDomainId, userId)
    ) strict`.execute(db);
  await sql`create index nsDomainTransferAsks_user on nsDomainTransferAsks (userId)`.execute(db);
  await sql`create index nsDomainTransferAsks_askedAt on nsDomainTransferAsks (askedAt)`.execute(db);
}
