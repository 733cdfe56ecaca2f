import Database from "libsql";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** An exclusive lock on a directory. The operating system releases it when the process ends, even after a crash. */
export class DirectoryLock {
  readonly #database: Database.Database;

  /** @throws Error if another process or another store of this process holds the lock */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#database = new Database(join(directory, "lock"));
    try {
      this.#database.exec("pragma journal_mode = off");
      this.#database.exec("begin exclusive");
    } catch (error) {
      this.#database.close();
      if (!/locked|busy/i.test(String(error))) throw error;
      throw new Error(`the access logs in "${directory}" are in use by another process`, { cause: error });
    }
  }

  release(): void {
    if (!this.#database.open) return;
    this.#database.exec("rollback");
    this.#database.close();
  }
}
