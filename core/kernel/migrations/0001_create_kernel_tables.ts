import type { Kysely } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.createTable("kernel_settings")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema.createTable("kernel_signing_keys")
    .addColumn("kid", "text", (column) => column.primaryKey())
    .addColumn("publicJwk", "text", (column) => column.notNull())
    .addColumn("sealedPrivateJwk", "text", (column) => column.notNull())
    .addColumn("createdAt", "integer", (column) => column.notNull())
    .addColumn("retiredAt", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createTable("kernel_idempotency")
    .addColumn("caller", "text", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("response", "text")
    .addColumn("createdAt", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("kernel_idempotency_key", ["caller", "operation", "key"])
    .execute();
  await db.schema.createIndex("kernel_idempotency_age").on("kernel_idempotency").column("createdAt").execute();
  await db.schema.createTable("kernel_audit")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("createdAt", "integer", (column) => column.notNull())
    .addColumn("requestId", "text", (column) => column.notNull())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("callerId", "integer", (column) => column.notNull())
    .addColumn("operation", "text", (column) => column.notNull())
    .execute();
  await db.schema.createTable("kernel_leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("expiresAt", "integer", (column) => column.notNull())
    .execute();
}
