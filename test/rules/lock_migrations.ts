import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { LOCK_PATH, migrationErrors, type MigrationHashes, migrationHashes } from "./migration_hashes.ts";

// Adds new migrations to the lock. Released ones stay as they are, whatever their files say now.
const found = migrationHashes();
const locked: MigrationHashes = existsSync(LOCK_PATH) ? JSON.parse(readFileSync(LOCK_PATH, "utf8")) : {};
const both = { ...found, ...locked };
writeFileSync(LOCK_PATH, `${JSON.stringify(Object.fromEntries(Object.entries(both).sort()), null, 2)}\n`);
const faults = migrationErrors(both, found);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
