import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { projectFiles } from "./sources.ts";
import { root } from "./generated.ts";

/** Where the hashes of released migrations are kept. */
export const LOCK_PATH = `${root}test/rules/migrations.lock.json`;

export type MigrationHashes = Readonly<Record<string, string>>;

/** The hash of every migration, one file each. Changing one would leave installations apart. */
export function migrationHashes(): MigrationHashes {
  const paths = projectFiles("plugins", "core").filter((path) => /\/migrations\/\d{4}_\w+\.ts$/.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, hashOf(readFileSync(root + path, "utf8"))]));
}

/** White space apart, so that formatting changes nothing. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text.replace(/\s+/g, " ")).digest("base64url");
}

/** What differs, one line each, with what to do. */
export function migrationErrors(locked: MigrationHashes, found: MigrationHashes): string[] {
  return Object.keys({ ...locked, ...found }).sort().flatMap((path) => {
    if (!(path in found)) return [`${path} was released and is gone: bring it back, installations remember it`];
    if (!(path in locked)) return [`${path} is new: run "deno run -A test/rules/lock_migrations.ts"`];
    if (locked[path] === found[path]) return [];
    return [`${path} was released and has changed: undo that, and add a migration with the next number instead`];
  });
}
