import { pathToFileURL } from "node:url";
import { Connection } from "../../core/host/sqlite/connection.ts";

/** Runs a query on a database file, with what is in its write-ahead log. */
export function readDatabase(path: string, sql: string): ReturnType<Connection["query"]> {
  const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, ["wal_autocheckpoint = 0"]);
  try {
    return connection.query(sql);
  } finally {
    connection.close();
  }
}
