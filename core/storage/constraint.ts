const UNIQUE = /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY|ROWID)$/;

/** The code that SQLite gave an error, such as `SQLITE_CONSTRAINT_UNIQUE`; the same whichever engine raised it. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code.startsWith("SQLITE_") ? error.code : undefined;
}

/** Whether a statement failed because a row with the same unique values exists. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE.test(sqliteCode(error) ?? "");
}
