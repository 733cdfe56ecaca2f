import { type Kysely, sql } from "kysely";

/** Audit records are listed by time. It is the only index, because each change writes a record. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index kernel_audit_createdAt on kernel_audit (createdAt)`.execute(db);
}
