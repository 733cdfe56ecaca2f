import { type Kysely, sql } from "kysely";

/** The last run of each job, and the instances that serve. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_job_runs (
      name text primary key,
      startedAt integer not null,
      endedAt integer not null,
      error text,
      failures integer not null
    ) strict, without rowid`.execute(db);
  await sql`
    create table kernel_instances (
      id text primary key,
      startedAt integer not null,
      seenAt integer not null,
      version text not null,
      runtime text not null
    ) strict, without rowid`.execute(db);
}
