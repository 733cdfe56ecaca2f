import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { relay } from "../child/relay.ts";
import { errorMessage } from "../settings/files.ts";
import { Connection } from "../sqlite/connection.ts";
import type { CheckMessage } from "./check_message.ts";

const MAX_LINES = 20;
const BUSY_MILLISECONDS = 10_000;

// This file is a program: a child process that checks a database for its parent and ends with it.
if (isMainThread) relay(import.meta.url);
else parentPort?.on("message", () => parentPort?.postMessage(checkDatabase(String(workerData))));

/** Checks the database as it is when the read transaction begins. A reader must not move the write-ahead log. */
function checkDatabase(path: string): CheckMessage {
  try {
    const location = `${pathToFileURL(path).href}?mode=ro`;
    const connection = new Connection(location, ["query_only = 1", "wal_autocheckpoint = 0"], BUSY_MILLISECONDS);
    try {
      connection.exec("begin");
      const numberOf = (sql: string) => Number(connection.query(sql)[0]?.[0]);
      const lines = connection.query(`pragma integrity_check(${MAX_LINES})`).map(([line]) => String(line));
      return {
        damage: lines.length === 1 && lines[0] === "ok" ? [] : lines,
        bytes: numberOf("pragma page_count") * numberOf("pragma page_size"),
        tables: numberOf("select count(*) from sqlite_master where type = 'table'"),
        indexes: numberOf("select count(*) from sqlite_master where type = 'index'"),
      };
    } finally {
      connection.close();
    }
  } catch (error) {
    return { damage: [errorMessage(error)], bytes: 0, tables: 0, indexes: 0 };
  }
}
