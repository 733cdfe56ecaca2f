import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { projectFiles } from "./sources.ts";
import { root } from "./generated.ts";

/** The path of the lock file with the hashes of released migrations. */
export const LOCK_PATH = `${root}test/rules/migrations.lock.json`;

export type MigrationHashes = Readonly<Record<string, string>>;

/** Returns the hash of every migration file. A changed migration would make installations diverge. */
export function migrationHashes(): MigrationHashes {
  const paths = projectFiles("plugins", "core").filter((path) => /\/migrations\/\d{4}_\w+\.ts$/.test(path));
  return Object.fromEntries(paths.sort().map((path) => [path, hashOf(readFileSync(root + path, "utf8"))]));
}

/** Returns the hash of a text, in which any white space counts as one space, so that formatting does not change it. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text.replace(/\s+/g, " ")).digest("base64url");
}

/** Returns a line for each difference, with advice. */
export function migrationErrors(locked: MigrationHashes, found: MigrationHashes): string[] {
  return Object.keys({ ...locked, ...found }).sort().flatMap((path) => {
    if (!(path in found)) {
      return [`${path} was released and is missing: restore it, since installations have recorded it`];
    }
    if (!(path in locked)) return [`${path} is new: run "deno run -A test/rules/lock_migrations.ts"`];
    if (locked[path] === found[path]) return [];
    return [`${path} was released and has changed: revert it, and add a migration with the next number instead`];
  });
}
