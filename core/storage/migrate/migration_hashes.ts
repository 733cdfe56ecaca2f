import type { Migration } from "kysely/migration";
import { StartupError } from "../../base/startup_error.ts";
import { hexText } from "../../base/hex.ts";
import { sqliteCode } from "../constraint.ts";
import type { MigrationSession, Session, StorageEngine, TableScope } from "../engine.ts";
import { sessionKysely } from "../executor.ts";
import type { Migrations } from "./migrations.ts";

const TABLE = "kernel_migration_hashes";
const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };
const INSERT = {
  sql: `insert into ${TABLE} (owner, name, hash) values (?, ?, ?) on conflict do nothing`,
  scope: MAINTENANCE,
};
/** The number of statements after which a migration that runs on no database ends. */
const MAX_STATEMENTS = 10_000;

/** The hashes of the migrations that have run, by `<owner> <name>`. */
export type StoredHashes = ReadonlyMap<string, string>;

const known = new WeakMap<Migration["up"], Promise<string>>();

/**
 * Returns the hash of the statements of a migration, without their white space. It does not depend on the form of the
 * code: a package in JavaScript has the hash of its source in TypeScript.
 */
export function migrationHash({ up }: Migration): Promise<string> {
  let hash = known.get(up);
  if (hash === undefined) known.set(up, hash = hashOfStatements(up));
  return hash;
}

/** Runs a migration on a database that has no rows and keeps nothing, and hashes the statements that it ran. */
async function hashOfStatements(up: Migration["up"]): Promise<string> {
  const statements: string[] = [];
  const recorder: Session = {
    writable: true,
    run({ sql }) {
      if (statements.length >= MAX_STATEMENTS) throw new Error("a migration runs too many statements");
      statements.push(sql.replace(/\s+/g, " ").trim());
      return { columns: [], rows: [], changes: 0n };
    },
  };
  try {
    await up(sessionKysely<never>(recorder, MAINTENANCE));
  } catch {
    // one that needs rows ends here each time
  }
  const text = new TextEncoder().encode(statements.join(";\n"));
  return hexText(new Uint8Array(await crypto.subtle.digest("SHA-256", text)));
}

/** Reads the hashes of all owners; none before the first migration of the kernel that records them. */
export async function storedHashes(engine: Pick<StorageEngine, "reader">): Promise<StoredHashes> {
  try {
    const { rows } = await engine.reader.run({ sql: `select owner, name, hash from ${TABLE}`, scope: MAINTENANCE }, []);
    return new Map(rows.map(([owner, name, hash]) => [`${owner} ${name}`, String(hash)]));
  } catch (error) {
    if (sqliteCode(error) === "SQLITE_ERROR") return new Map();
    throw error;
  }
}

/**
 * Checks that the migrations of an owner are those that ran.
 *
 * @throws StartupError with a line for each one that has changed
 */
export async function requireUnchanged(wanted: Migrations, stored: StoredHashes): Promise<void> {
  const { owner } = wanted;
  const errors: string[] = [];
  for (const [name, migration] of hashed(wanted)) {
    const hash = stored.get(`${owner} ${name}`);
    if (hash === undefined || hash === await migrationHash(migration)) continue;
    errors.push(
      `plugin "${owner}": migration "${name}" has changed since it ran on this database: ` +
        "put it back, and make the change in a new migration",
    );
  }
  if (errors.length > 0) throw new StartupError(errors);
}

/** Records the hashes of migrations that have just run, in their transaction. */
export async function recordHashes(session: MigrationSession, wanted: Migrations, ran: readonly string[]) {
  if (!(await session.schema()).has(TABLE)) return;
  for (const [name, migration] of hashed(wanted)) {
    if (ran.includes(name)) await session.run(INSERT, [wanted.owner, name, await migrationHash(migration)]);
  }
}

/** Records the hashes of migrations that ran before hashes were recorded: their present content is taken as it is. */
export async function adoptHashes(
  engine: StorageEngine,
  all: readonly Migrations[],
  stored: StoredHashes,
): Promise<void> {
  const missing: string[][] = [];
  for (const wanted of all) {
    for (const [name, migration] of hashed(wanted)) {
      if (!stored.has(`${wanted.owner} ${name}`)) {
        missing.push([wanted.owner, name, await migrationHash(migration)]);
      }
    }
  }
  if (missing.length === 0) return;
  await engine.write(async (session) => {
    for (const row of missing) await session.run(INSERT, row);
  });
}

function hashed({ migrations, unhashed }: Migrations): [string, Migration][] {
  return Object.entries(migrations).filter(([name]) => !unhashed?.has(name));
}
