import type { InStatement, InValue, ResultSet } from "@libsql/client/web";
import { kernelErrors } from "../../base/errors.ts";
import { bindable } from "../bind.ts";
import type { SqlResult, SqlRow, SqlStatement, SqlValue } from "../engine.ts";

/** The largest blob that is sent, in bytes: larger ones go in pieces. The server refuses values above 5,000,000 bytes. */
export const MAX_BLOB_BYTES = 1 << 20;
/** Bytes in UTF-8, where a character has three at most. */
const MAX_TEXT = 4 << 20;
const utf8 = new TextEncoder();

/** A statement for the client, its values checked. */
export function request({ sql }: SqlStatement, parameters: readonly SqlValue[], expected: number): InStatement {
  if (parameters.length !== expected) {
    throw new TypeError(`the statement takes ${expected} parameters, got ${parameters.length}: ${sql.slice(0, 200)}`);
  }
  const args = bindable(parameters);
  for (const value of args) {
    if (value instanceof Uint8Array && value.length > MAX_BLOB_BYTES) {
      throw tooLarge("blob", value.length, MAX_BLOB_BYTES);
    }
    if (typeof value !== "string" || value.length * 3 <= MAX_TEXT) continue;
    const { length } = utf8.encode(value);
    if (length > MAX_TEXT) throw tooLarge("text", length, MAX_TEXT);
  }
  return { sql, args: args as InValue[] };
}

function tooLarge(what: string, length: number, limit: number): Error {
  return kernelErrors.too_large(`a ${what} of ${length} bytes for a remote database`, String(limit));
}

/** What a statement gave, as the local engine gives it. */
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

/** The rows of one result of several. */
export function rowsOf(result: ResultSet | undefined): readonly SqlRow[] {
  return result === undefined ? [] : resultOf(result).rows;
}

function valueOf(value: unknown): SqlValue {
  return typeof value === "object" && value instanceof ArrayBuffer ? new Uint8Array(value) : value as SqlValue;
}
