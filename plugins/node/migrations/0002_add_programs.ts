import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ["os text not null default ''", "arch text not null default ''"]) {
    await sql`alter table nodes add column ${sql.raw(column)}`.execute(db);
  }
  await sql`alter table nodes add column buildVersion text not null default ''`.execute(db);
  await sql`alter table nodes add column buildVersionCode integer not null default 0`.execute(db);
  await sql`
    create index nodes_program on nodes (nodeClusterId, os, arch, buildVersionCode) where state = 1`.execute(db);
}
