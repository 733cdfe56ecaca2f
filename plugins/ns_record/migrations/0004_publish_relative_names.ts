import { type Kysely, sql } from "kysely";

/** Names of one label in values are now below the domain: nodes fetch the records that may contain one again. */
export async function up(db: Kysely<never>): Promise<void> {
  const isConcerned = sql.raw(`state = 1 and (type in ('SOA', 'HTTPS', 'SVCB')
    or type in ('CNAME', 'NS', 'PTR', 'MX', 'SRV') and instr(value, '.') = 0)`);
  await sql`
    update nsRecords set version = (select version from nsRecords_versions) + item.number
      from (select id, row_number() over (order by id) as number from nsRecords where ${isConcerned}) as item
      where nsRecords.id = item.id`.execute(db);
  await sql`
    update nsRecords_versions set version = max(version, (select coalesce(max(version), 0) from nsRecords))`
    .execute(db);
}
