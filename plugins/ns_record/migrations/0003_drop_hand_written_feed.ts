import { type Kysely, sql } from "kysely";

/** The declared feed has replaced what was written by hand. Versions are taken over. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const index of ["nsRecords_version", "nsRecords_cluster_version"]) {
    await sql`drop index ${sql.raw(index)}`.execute(db);
  }
  await sql`
    update nsRecords_versions set version = max(version, (select version from nsRecordVersions))`.execute(db);
  await sql`drop table nsRecordVersions`.execute(db);
}
