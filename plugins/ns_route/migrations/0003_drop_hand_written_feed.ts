import { type Kysely, sql } from "kysely";

/** The declared feed has replaced what was written by hand. Versions are taken over. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const index of ["nsRoutes_version"]) await sql`drop index ${sql.raw(index)}`.execute(db);
  await sql`
    update nsRoutes_versions set version = max(version, (select version from nsRouteVersions))`.execute(db);
  await sql`drop table nsRouteVersions`.execute(db);
}
