import type { SqlResult, SqlRow, SqlValue } from "../../../storage/engine.ts";

/** The limits of a scan's result. */
export interface ScanResultLimits {
  readonly rows: number;
  /** Approximate: text counts its characters, a blob its bytes, and any other value eight. */
  readonly bytes: number;
}

/** A request of the parent: one statement, already checked. */
export interface ScanRequest {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly limits: ScanResultLimits;
}

/** The response of the child. `tooLarge` names the limit that the result exceeds. */
export type ScanResponse =
  | { readonly result: SqlResult }
  | { readonly tooLarge: string }
  | { readonly error: { readonly message: string; readonly code: string | undefined } };

const MAX_SHOWN = 1000;

/** Returns the text of a statement as reports show it; it contains no values of callers. */
export function shownSql(sql: string): string {
  return sql.slice(0, MAX_SHOWN);
}

/** Returns the approximate size of a row in bytes. */
export function resultSize(row: SqlRow): number {
  return row.reduce<number>((size, value) => {
    return size + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8);
  }, 0);
}
