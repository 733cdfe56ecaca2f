import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { LOCK_PATH, migrationErrors, type MigrationHashes, migrationHashes } from "./migration_hashes.ts";

// Adds the hashes of new migrations to the lock file. Existing hashes are kept, even if the files have changed.
const found = migrationHashes();
const locked: MigrationHashes = existsSync(LOCK_PATH) ? JSON.parse(readFileSync(LOCK_PATH, "utf8")) : {};
const both = { ...found, ...locked };
writeFileSync(LOCK_PATH, `${JSON.stringify(Object.fromEntries(Object.entries(both).sort()), null, 2)}\n`);
const errors = migrationErrors(both, found);
for (const error of errors) console.error(error);
process.exitCode = errors.length === 0 ? 0 : 1;
