import { type Kysely, sql } from "kysely";

/** The reports of nodes that the address of a record is down, and the records that were taken out because of them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsRecordDownReports (
      nsRecordId integer not null,
      nsNodeId integer not null,
      reportedAt integer not null,
      primary key (nsRecordId, nsNodeId)
    ) strict, without rowid`.execute(db);
  await sql`create index nsRecordDownReports_time on nsRecordDownReports (reportedAt)`.execute(db);
  await sql`
    create table nsRecordOutages (nsRecordId integer primary key, beganAt integer not null) strict`.execute(db);
}
