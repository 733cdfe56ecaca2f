const UNIQUE = /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)$/;

/** Returns the SQLite code of an error, such as `SQLITE_CONSTRAINT_UNIQUE`, which is the same for all engines. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code.startsWith("SQLITE_") ? error.code : undefined;
}

/** Returns true if a statement failed because a row with the same unique values exists. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.test(sqliteCode(error) ?? "");
}
