import { type Kysely, sql } from "kysely";

/** The plugin node_installation has the installations. Until it came, none could end but with an incomplete login. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index nsNodes_waiting`.execute(db);
  for (const column of ["installPhase", "installError", "installErrorCode", "installUpdatedAt"]) {
    await sql`alter table nsNodes drop column ${sql.ref(column)}`.execute(db);
  }
}
