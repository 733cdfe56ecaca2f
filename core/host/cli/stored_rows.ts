import { pathToFileURL } from "node:url";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { rowCounts } from "../../storage/row_counts.ts";
import { localPath } from "../settings/database_path.ts";
import { errorMessage, exists } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { Connection } from "../sqlite/connection.ts";

/** The numbers of rows by table, or the reason why they are not known. */
export type StoredRows =
  | { readonly counts: ReadonlyMap<string, number>; readonly missing?: undefined }
  | { readonly counts?: undefined; readonly missing: string };

/** Counts the rows of tables in the database of an installation, which a server may be using. */
export async function storedRows(settings: Settings, tables: readonly string[]): Promise<StoredRows> {
  try {
    const path = localPath(settings);
    if (path === undefined) return { counts: await remoteCounts(settings, tables) };
    if (!await exists(path)) return { missing: `there is no database at ${path} yet` };
    return { counts: await localCounts(path, tables) };
  } catch (error) {
    return { missing: `the database cannot be read: ${errorMessage(error)}` };
  }
}

async function localCounts(path: string, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, ["query_only = 1"]);
  try {
    return await rowCounts(connection, tables);
  } finally {
    connection.close();
  }
}

async function remoteCounts({ database }: Settings, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const engine = await openRemoteEngine({ url: database.url, token: database.token });
  try {
    return await rowCounts(engine.reader, tables);
  } finally {
    await engine.close();
  }
}

/** Returns the table with its number of rows, if that is known, such as `notes (3 rows)`. */
export function tableText(table: string, { counts }: StoredRows): string {
  const count = counts?.get(table);
  return count === undefined ? table : `${table} (${rowsText(count)})`;
}

export function rowsText(count: number): string {
  return count === 1 ? "1 row" : `${count} rows`;
}
