import { type Kysely, sql } from "kysely";

/** Triggers count the rows of a day, so that an upload need not. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsRecordHourlyStats (
      nsRecordId integer not null,
      hour integer not null,
      nsDomainId integer not null,
      bytes integer not null,
      countRequests integer not null,
      primary key (nsRecordId, hour, nsDomainId)
    ) strict, without rowid`.execute(db);
  await sql`create index nsRecordHourlyStats_domain on nsRecordHourlyStats (nsDomainId, hour)`.execute(db);
  await sql`
    create table nsDomainHourlyStats (
      nsDomainId integer not null,
      hour integer not null,
      questionType text not null,
      responseCode text not null,
      bytes integer not null,
      countRequests integer not null,
      primary key (nsDomainId, hour, questionType, responseCode)
    ) strict, without rowid`.execute(db);
  await sql`
    create table nsStatDays (
      kind text not null,
      day integer not null,
      n integer not null,
      primary key (kind, day)
    ) strict, without rowid`.execute(db);
  await sql`
    create table nsStatUploads (
      nsNodeId integer not null,
      uploadId text not null,
      createdAt integer not null,
      primary key (nsNodeId, uploadId)
    ) strict, without rowid`.execute(db);
  await sql`create index nsStatUploads_time on nsStatUploads (createdAt)`.execute(db);
  for (const table of ["nsRecordHourlyStats", "nsDomainHourlyStats"]) {
    await sql`create index ${sql.raw(`${table}_hour on ${table} (hour)`)}`.execute(db);
    const count = `insert into nsStatDays (kind, day, n) values ('${table}', new.hour / 100, 1)
      on conflict (kind, day) do update set n = n + 1;`;
    await sql`create trigger ${sql.raw(`${table}_counted after insert on ${table} begin ${count} end`)}`.execute(db);
  }
}
