import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import Database from "./driver/driver.ts";
import { StartupError } from "../../base/startup_error.ts";
import { sqliteCode } from "../../storage/constraint.ts";
import { errorMessage } from "../settings/files.ts";

/** Locks a database file for this process. The system releases the lock when the process ends, even if it crashes. */
export class ProcessLock {
  /** True if the previous holder did not release the lock. */
  readonly wasLeftBehind: boolean;
  readonly #lock: Database.Database;
  readonly #holderPath: string;

  /**
   * Takes the lock.
   *
   * @throws StartupError that names the process that holds it
   */
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

  /** @param isClean true if the file is known to be intact; otherwise the next start checks it */
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
  return new StartupError(`cannot lock the database "${path}" with "${path}.lock": ${errorMessage(cause)}`, { cause });
}
