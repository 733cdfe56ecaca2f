import type { Migration } from "kysely/migration";
import * as createKernelTables from "./0001_create_kernel_tables.ts";
import * as createInstanceTables from "./0002_create_instance_tables.ts";

/** The kernel's own migrations. */
export const KERNEL_MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001_create_kernel_tables": createKernelTables,
  "0002_create_instance_tables": createInstanceTables,
};
