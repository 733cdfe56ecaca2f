import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Connection } from "../../../core/host/sqlite/connection.ts";
import type { Needles } from "./needles.ts";

/** The secrets that were found, and the number of bytes that were searched. */
export interface Findings {
  /** Lines such as `edgehelm.db: SSH password (plain)`. */
  readonly found: string[];
  bytes: number;
}

export function searchText(place: string, text: string, needles: Needles, findings: Findings): void {
  search(place, Buffer.from(text), needles, findings);
}

/** Searches all files below a folder. */
export async function searchFolder(folder: string, needles: Needles, findings: Findings): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    search(path.slice(folder.length + 1), await readFile(path), needles, findings);
  }
}

/** Searches every column of every table, also those whose values SQLite keeps in several pieces. */
export function searchTables(path: string, needles: Needles, findings: Findings): void {
  const connection = new Connection(`${pathToFileURL(path).href}?mode=ro`, ["wal_autocheckpoint = 0"]);
  const textsOf = (sql: string) => connection.query(sql).map(([value]) => String(value));
  try {
    for (const table of textsOf("select name from sqlite_master where type = 'table'")) {
      for (const column of textsOf(`select name from pragma_table_info('${table}')`)) {
        const values = connection.query(`select "${column}" from "${table}"`)
          .map(([value]) => value instanceof Uint8Array ? value : Buffer.from(`${value}\n`));
        search(`${table}.${column}`, Buffer.concat(values), needles, findings);
      }
    }
  } finally {
    connection.close();
  }
}

function search(place: string, content: Uint8Array, needles: Needles, findings: Findings): void {
  findings.bytes += content.length;
  for (const text of needles.find(content)) {
    const line = `${place}: ${text}`;
    if (!findings.found.includes(line)) findings.found.push(line);
  }
}
