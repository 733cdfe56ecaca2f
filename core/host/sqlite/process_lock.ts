import Database from "libsql";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { sqliteCode } from "../../storage/constraint.ts";

/** Keeps a database file for this process. The system ends the lock with the process, however that dies. */
export class ProcessLock {
  /** Whether the last holder went without releasing it. */
  readonly wasLeftBehind: boolean;
  readonly #lock: Database.Database;
  readonly #holderPath: string;

  /** Takes the lock or throws a StartupError that names the holder. */
  constructor(path: string) {
    this.#holderPath = `${path}.holder`;
    this.#lock = openLock(path);
    try {
      this.#lock.exec("pragma journal_mode = off");
      this.#lock.exec("begin exclusive");
    } catch (error) {
      this.#lock.close();
      if (sqliteCode(error) !== "SQLITE_BUSY") throw cannotLock(path, error);
      const holder = readHolder(this.#holderPath) ?? "another process";
      throw new StartupError(`the database "${path}" is held by ${holder}; stop it first`);
    }
    this.wasLeftBehind = readHolder(this.#holderPath) !== undefined;
    const since = new Date().toISOString();
    writeFileSync(this.#holderPath, `process ${process.pid} on ${hostname()} since ${since}\n`);
  }

  /** @param isClean whether the file is known to be as it should be; if not, the next start looks again */
  release(isClean: boolean): void {
    if (!this.#lock.open) return;
    if (isClean || !this.wasLeftBehind) rmSync(this.#holderPath, { force: true });
    this.#lock.exec("rollback");
    this.#lock.close();
  }
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

function openLock(path: string): Database.Database {
  try {
    return new Database(`${path}.lock`);
  } catch (error) {
    throw cannotLock(path, error);
  }
}

function cannotLock(path: string, cause: unknown): StartupError {
  const fault = cause instanceof Error ? cause.message : String(cause);
  return new StartupError(`cannot lock the database "${path}" by the file "${path}.lock": ${fault}`, { cause });
}
