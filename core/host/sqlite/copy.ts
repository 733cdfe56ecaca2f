import { pathToFileURL } from "node:url";
import { Connection } from "./connection.ts";

/** Copies a consistent snapshot of a database file that is in use. `target` must not exist. */
export function copyDatabase(source: string, target: string): void {
  // Not query_only, which forbids VACUUM INTO. A reader must not checkpoint the write-ahead log.
  const connection = new Connection(`${pathToFileURL(source).href}?mode=ro`, ["wal_autocheckpoint = 0"]);
  try {
    connection.exec(`vacuum into '${target.replaceAll("'", "''")}'`);
  } finally {
    connection.close();
  }
}
