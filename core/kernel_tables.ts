import type { Generated } from "kysely";
import type { Migration } from "kysely/migration";
import type { TableScope } from "./storage/engine.ts";

/** The kernel's own tables. */
export interface KernelTables {
  kernel_settings: { name: string; value: string };
  kernel_signing_keys: {
    kid: string;
    publicJwk: string;
    sealedPrivateJwk: string;
    createdAt: bigint;
    retiredAt: bigint;
  };
  kernel_idempotency: {
    caller: string;
    operation: string;
    key: string;
    fingerprint: string;
    response: string | null;
    createdAt: bigint;
  };
  kernel_audit: {
    id: Generated<bigint>;
    createdAt: bigint;
    requestId: string;
    role: string;
    callerId: bigint;
    operation: string;
  };
  kernel_leases: { name: string; holder: string; expiresAt: bigint };
}

export const KERNEL_SCOPE: TableScope = {
  owner: "kernel",
  tables: new Set(["kernel_settings", "kernel_signing_keys", "kernel_idempotency", "kernel_audit", "kernel_leases"]),
};

const createKernelTables: Migration = {
  async up(db) {
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
  },
};

export const KERNEL_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_create_kernel_tables": createKernelTables,
};
