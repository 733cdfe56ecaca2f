import Database from "libsql";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Keeps a directory for this process; the system ends the lock with the process, however that dies. */
export class DirectoryLock {
  readonly #database: Database.Database;

  /** @throws when another process, or another store of this one, holds the directory */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#database = new Database(join(directory, "lock"));
    try {
      this.#database.exec("pragma journal_mode = off");
      this.#database.exec("begin exclusive");
    } catch (error) {
      this.#database.close();
      if (!/locked|busy/i.test(String(error))) throw error;
      throw new Error(`the access logs in "${directory}" are held by another process; stop it first`, { cause: error });
    }
  }

  release(): void {
    if (!this.#database.open) return;
    this.#database.exec("rollback");
    this.#database.close();
  }
}
