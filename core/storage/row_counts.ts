import type { Session, TableScope } from "./engine.ts";

const MAINTENANCE: TableScope = { owner: "kernel", tables: undefined };
const TABLES = { sql: "select name from sqlite_master where type = 'table'", scope: MAINTENANCE };
/** The number of tables per statement. A compound SELECT has at most 500 parts. */
const TABLES_PER_STATEMENT = 200;

/** Returns the names of all tables of a database. */
export async function existingTables(session: Pick<Session, "run">): Promise<ReadonlySet<string>> {
  const { rows } = await session.run(TABLES, []);
  return new Set(rows.map(([name]) => String(name)));
}

/**
 * Counts the rows of tables of any owner.
 *
 * @returns the numbers of rows by table; tables that do not exist are left out
 */
export async function rowCounts(
  session: Pick<Session, "run">,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const existing = await existingTables(session);
  const wanted = tables.filter((table) => existing.has(table));
  const counts = new Map<string, number>();
  for (let at = 0; at < wanted.length; at += TABLES_PER_STATEMENT) {
    const parts = wanted.slice(at, at + TABLES_PER_STATEMENT).map((table) =>
      `select '${table}' as name, count(*) as n from "${table}"`
    );
    const { rows } = await session.run({ sql: parts.join(" union all "), scope: MAINTENANCE }, []);
    for (const [name, n] of rows) counts.set(String(name), Number(n));
  }
  return counts;
}
