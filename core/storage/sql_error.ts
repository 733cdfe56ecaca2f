/** A statement that the database refused, by an engine whose driver has no such error of its own. */
export class SqlError extends Error {
  override readonly name = "SqlError";
  /** As SQLite names it: `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
