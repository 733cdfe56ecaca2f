/** The error of a statement, for engines whose drivers do not report SQLite codes. */
export class SqlError extends Error {
  override readonly name = "SqlError";
  /** The extended result code of SQLite, such as `SQLITE_CONSTRAINT_UNIQUE`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
