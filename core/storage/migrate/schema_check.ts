import { StartupError } from "../../base/startup_error.ts";
import type { StorageEngine, TableScope } from "../engine.ts";
import type { Migrations } from "./migrations.ts";

const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };
const TABLES = "select name from sqlite_master where type = 'table' and name like 'migration\\_%' escape '\\'";
/** The number of owners per statement. A compound SELECT has at most 500 parts. */
const OWNERS_PER_STATEMENT = 200;

/**
 * Checks that the database has been migrated to this release, for hosts that do not migrate themselves. It needs two
 * statements for up to 200 owners, because each may be a round trip.
 *
 * @throws StartupError that names missing and unknown migrations
 */
export async function requireMigrated(engine: StorageEngine, wanted: readonly Migrations[]): Promise<void> {
  const done = await finishedMigrations(engine, wanted);
  if (done.size === 0) {
    throw new StartupError("the database has no tables of this installation yet: run deno task migrate on it");
  }
  const errors = wanted.flatMap(({ owner, migrations }) => {
    const ran = done.get(owner) ?? [];
    const unknown = ran.filter((name) => !(name in migrations));
    const [missing] = Object.keys(migrations).filter((name) => !ran.includes(name));
    return [
      ...unknown.length === 0 ? [] : [newerDatabase(owner, unknown)],
      ...missing === undefined ? [] : [olderDatabase(owner, missing)],
    ];
  });
  if (errors.length > 0) throw new StartupError(errors);
}

/** The migrations of one owner that have not run on a database. */
export interface PendingMigrations {
  readonly owner: string;
  readonly names: readonly string[];
  /** True if earlier migrations of the owner have run, so that these may change rows. */
  readonly isUpgrade: boolean;
}

/**
 * Returns what has not run yet, for the owners that have any. Reads only, so that it waits for no writer.
 *
 * @throws StartupError if migrations ran that this release does not know
 */
export async function pendingMigrations(
  engine: Pick<StorageEngine, "reader">,
  wanted: readonly Migrations[],
): Promise<readonly PendingMigrations[]> {
  const done = await finishedMigrations(engine, wanted);
  const pending: PendingMigrations[] = [];
  const errors: string[] = [];
  for (const { owner, migrations } of wanted) {
    const ran = done.get(owner) ?? [];
    const unknown = ran.filter((name) => !(name in migrations));
    const names = Object.keys(migrations).filter((name) => !ran.includes(name));
    if (unknown.length > 0) errors.push(newerDatabase(owner, unknown));
    if (names.length > 0) pending.push({ owner, names, isUpgrade: ran.length > 0 });
  }
  if (errors.length > 0) throw new StartupError(errors);
  return pending;
}

/** Returns the names of the migrations that have run, by owner. */
async function finishedMigrations(
  engine: Pick<StorageEngine, "reader">,
  wanted: readonly Migrations[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const existing = new Set(await migratedOwners(engine));
  const owners = wanted.map(({ owner }) => owner).filter((owner) => existing.has(owner));
  const done = new Map<string, string[]>();
  for (let at = 0; at < owners.length; at += OWNERS_PER_STATEMENT) {
    const parts = owners.slice(at, at + OWNERS_PER_STATEMENT).map((owner) =>
      `select '${owner}' as owner, name from "migration_${owner}"`
    );
    const { rows } = await engine.reader.run({ sql: parts.join(" union all "), scope: MAINTENANCE }, []);
    for (const [owner, name] of rows) done.set(String(owner), [...done.get(String(owner)) ?? [], String(name)]);
  }
  return done;
}

/** Returns the plugins, enabled or not, that have migrated their tables, and the kernel. */
export async function migratedOwners(engine: Pick<StorageEngine, "reader">): Promise<string[]> {
  const { rows } = await engine.reader.run({ sql: TABLES, scope: MAINTENANCE }, []);
  return rows.map(([name]) => String(name).slice("migration_".length));
}

function newerDatabase(owner: string, unknown: readonly string[]): string {
  return `plugin "${owner}": the database is newer than this release, which does not know "${unknown.join('", "')}"; ` +
    "start the newer release, or restore a backup from before its migration";
}

function olderDatabase(owner: string, missing: string): string {
  return `plugin "${owner}": the database is older than this release: it lacks "${missing}"; run deno task migrate`;
}
