import { type Kysely, sql } from "kysely";

const TEXTS = ["callerRequestId", "keyId", "address", "objects", "changesJSON", "reason", "hash"];

/**
 * Who, from where, what before and after, and a chain of hashes. Records of earlier releases stay as they are, outside the
 * chain: it begins after the last of them.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const column of TEXTS) {
    await sql`alter table kernel_audit add column ${sql.ref(column)} text not null default ''`.execute(db);
  }
  await sql`alter table kernel_audit add column code integer not null default 200`.execute(db);
  await sql`alter table kernel_audit add column count integer not null default 1`.execute(db);
  await sql`alter table kernel_audit add column erasedAt integer not null default 0`.execute(db);
  await sql`
    insert into kernel_settings (name, value)
    select 'audit_anchor', json_object('id', cast(coalesce(max(id), 0) as text), 'hash', '') from kernel_audit`
    .execute(db);
}
