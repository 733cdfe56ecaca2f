import { type Kysely, sql } from "kysely";

/**
 * Domains come into the search index whether they are deleted or not: those that were deleted before are removed from it
 * as well. Removing names rewrote the index again and again, and writers waited for it; what is added merges it too.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const indexed = "(select indexedId from nsDomainSearchState)";
  await sql`
    create trigger nsDomains_deletedEarly after update of state on nsDomains
      when old.state = 1 and new.state = 0 and old.id > ${sql.raw(indexed)} begin
        insert into nsDomainSearchRemovals (nsDomainId) values (old.id);
      end`.execute(db);
  await sql`
    insert into nsDomainSearchRemovals (nsDomainId)
      select id from nsDomains where state = 0 and id > ${sql.raw(indexed)}`.execute(db);
  await sql`insert into nsDomainSearch (nsDomainSearch, rank) values ('deletemerge', 0)`.execute(db);
}
