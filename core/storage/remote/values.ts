import type { InStatement, InValue, ResultSet } from "@libsql/client/web";
import { kernelErrors } from "../../base/errors.ts";
import { bindable } from "../bind.ts";
import type { SqlResult, SqlRow, SqlStatement, SqlValue } from "../engine.ts";

/** The maximum size of a blob. Plugins split larger ones. The server itself refuses values above 5,000,000 bytes. */
export const MAX_BLOB_BYTES = 1 << 20;
/** The maximum size of a text in UTF-8, which has at most three bytes per UTF-16 code unit. */
const MAX_TEXT_BYTES = 4 << 20;
const utf8 = new TextEncoder();

/** Converts a statement for the client, and checks its values. */
export function toInStatement({ sql }: SqlStatement, parameters: readonly SqlValue[], expected: number): InStatement {
  if (parameters.length !== expected) {
    throw new TypeError(`the statement takes ${expected} parameters, got ${parameters.length}: ${sql.slice(0, 200)}`);
  }
  const args = bindable(parameters);
  for (const value of args) {
    if (value instanceof Uint8Array && value.length > MAX_BLOB_BYTES) {
      throw tooLarge("blob", value.length, MAX_BLOB_BYTES);
    }
    if (typeof value !== "string" || value.length * 3 <= MAX_TEXT_BYTES) continue;
    const { length } = utf8.encode(value);
    if (length > MAX_TEXT_BYTES) throw tooLarge("text", length, MAX_TEXT_BYTES);
  }
  return { sql, args: args as InValue[] };
}

function tooLarge(type: string, length: number, limit: number): Error {
  return kernelErrors.too_large(`a ${type} of ${length} bytes for a remote database`, `${limit} bytes`);
}

/** Converts a result of the client. */
export function resultOf({ columns, rows, rowsAffected }: ResultSet): SqlResult {
  const width = columns.length;
  return {
    columns,
    rows: rows.map((row) => {
      const values: SqlValue[] = [];
      for (let index = 0; index < width; index++) values.push(valueOf(row[index]));
      return values;
    }),
    changes: width === 0 ? BigInt(rowsAffected) : 0n,
  };
}

/** Returns the rows of a result, or none if the result is missing. */
export function rowsOf(result: ResultSet | undefined): readonly SqlRow[] {
  return result === undefined ? [] : resultOf(result).rows;
}

function valueOf(value: unknown): SqlValue {
  return typeof value === "object" && value instanceof ArrayBuffer ? new Uint8Array(value) : value as SqlValue;
}
