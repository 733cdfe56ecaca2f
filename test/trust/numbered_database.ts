import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseIdentity } from "../../core/host/sqlite/database_identity.ts";
import { type LocalEngine, openLocalEngine } from "../../core/host/sqlite/engine.ts";
import type { SqlRow, SqlStatement, SqlValue } from "../../core/storage/engine.ts";

export const FILE = "edgehelm.db";
const ID = "5b8c1a6e-0d1f-4c6a-8f5e-7a2f7f0f3c11";
const SCHEMA = [
  "create table kernel_settings(name text primary key, value text not null)",
  "create table t(id integer primary key, n text not null, copy text not null)",
  "create index t_n on t(n)",
];

/** A folder with a database of numbered rows, which is removed in the end. */
export class NumberedDatabase implements Disposable {
  readonly directory = mkdtempSync(join(tmpdir(), "edgehelm-trust-"));
  readonly path = join(this.directory, FILE);

  /** Opens the database as a server does: with its lock, its checks and its record. Only close() moves its log. */
  open(): Promise<LocalEngine> {
    const identity = new DatabaseIdentity({ dataDirectory: this.directory, path: this.path });
    return openLocalEngine({ path: this.path, identity, checkpoints: { interval: Infinity, bytes: Infinity } });
  }

  /** Copies the files as a crash would leave them into another folder. */
  copyTo({ directory }: NumberedDatabase): void {
    for (const name of [FILE, `${FILE}-wal`, `${FILE}.holder`, "database.json"]) {
      if (existsSync(join(this.directory, name))) copyFileSync(join(this.directory, name), join(directory, name));
    }
  }

  /** Removes the files. */
  empty(): void {
    for (const end of ["", "-wal", "-shm", ".holder", ".lock"]) rmSync(this.path + end, { force: true });
    rmSync(join(this.directory, "database.json"), { force: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Creates the tables and the installation. */
export async function createTables(engine: LocalEngine): Promise<void> {
  await engine.migrate(async (session) => {
    for (const sql of SCHEMA) await session.run(statement(sql), []);
  });
  const insert = statement("insert into kernel_settings values ('installationId', ?)");
  await engine.write(async (session) => session.run(insert, [ID]));
}

const INSERT = statement("insert into t(id, n, copy) values (?, ?2, ?2)");

export async function insertRow(engine: LocalEngine, id: number, text: string): Promise<void> {
  await engine.write(async (session) => session.run(INSERT, [BigInt(id), text]));
}

export async function rowsOf(engine: LocalEngine, sql: string, ...parameters: SqlValue[]): Promise<readonly SqlRow[]> {
  return (await engine.reader.run(statement(sql), parameters)).rows;
}

function statement(sql: string): SqlStatement {
  return { sql, scope: { owner: "kernel", tables: undefined } };
}
