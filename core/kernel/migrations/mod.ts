import type { Migration } from "kysely/migration";
import { KERNEL_SCOPE } from "../../storage/kernel_tables.ts";
import type { Migrations } from "../../storage/migrate/migrations.ts";
import * as createKernelTables from "./0001_create_kernel_tables.ts";
import * as createInstanceTables from "./0002_create_instance_tables.ts";
import * as handOverStreams from "./0003_hand_over_node_streams.ts";
import * as createEndedTokens from "./0004_create_ended_tokens.ts";
import * as recordJobRuns from "./0005_record_job_runs.ts";
import * as chainAudit from "./0006_chain_audit.ts";
import * as recordMigrationHashes from "./0007_record_migration_hashes.ts";
import * as createBackups from "./0008_create_backups.ts";
import * as createEvents from "./0012_create_events.ts";
import * as listAudit from "./0013_list_audit.ts";
import * as deferEvents from "./0014_defer_events.ts";
import * as createAlarms from "./0015_create_alarms.ts";
import * as indexEvents from "./0016_index_events.ts";

const migrations: Readonly<Record<string, Migration>> = {
  "0001_create_kernel_tables": createKernelTables,
  "0002_create_instance_tables": createInstanceTables,
  "0003_hand_over_node_streams": handOverStreams,
  "0004_create_ended_tokens": createEndedTokens,
  "0005_record_job_runs": recordJobRuns,
  "0006_chain_audit": chainAudit,
  "0007_record_migration_hashes": recordMigrationHashes,
  "0008_create_backups": createBackups,
  "0012_create_events": createEvents,
  "0013_list_audit": listAudit,
  "0014_defer_events": deferEvents,
  "0015_create_alarms": createAlarms,
  "0016_index_events": indexEvents,
};

/** The tables that the migrations use although the kernel no longer does: it dropped them or handed them over. */
const FORMER_TABLES = ["kernel_node_sessions", "kernel_node_commands", "nodeStreamSessions"];

/** The kernel's own migrations. */
export const KERNEL_MIGRATIONS: Migrations = {
  owner: "kernel",
  tables: new Set([...KERNEL_SCOPE.tables!, ...FORMER_TABLES]),
  migrations,
};
