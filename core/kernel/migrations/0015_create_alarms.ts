import { type Kysely, sql } from "kysely";

/** The alarms that have begun, by the machines that found them. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table kernel_alarms (
      name text not null,
      subject text not null,
      machine text not null,
      beganAt integer not null,
      seenAt integer not null,
      dataJSON text not null,
      primary key (name, subject, machine)
    ) strict, without rowid`.execute(db);
}
