import { LibsqlError } from "@libsql/client/web";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { SqlError } from "../sql_error.ts";

/**
 * What went wrong at the other end:
 *
 * - `busy`: another writer was in the way, and nothing was done.
 * - `lost`: no answer, or none that means anything; whatever was sent may have been done.
 * - `ended`: the server ended the transaction, and undid it.
 * - `outage`: the server answered that it cannot work, and undid the transaction.
 * - `refused`: the server does not accept the access token.
 * - `statement`: the database refused this one statement.
 */
export type FaultKind = "busy" | "lost" | "ended" | "outage" | "refused" | "statement";

const BUSY = /^SQLITE_(?:BUSY|LOCKED)/;
const OUTAGE = /^SQLITE_(?:FULL|IOERR|NOMEM|CANTOPEN|CORRUPT|NOTADB|READONLY|AUTH|INTERRUPT)|^AUTH/;
const ENDED = /^(?:TRANSACTION_|STREAM_|BATON_)/;
const LOST = /^(?:HRANA_|SERVER_ERROR$|UNKNOWN$|INTERNAL_ERROR$|PROTOCOL_VERSION_ERROR$)/;
const TOO_LARGE = /^(?:RESPONSE_TOO_LARGE|SQLITE_TOOBIG)$|too big|too large/;

/** What kind of fault the client reported. */
export function faultKind(error: unknown): FaultKind {
  if (error instanceof SqlError || error instanceof RpcError) return "statement";
  if (!(error instanceof LibsqlError)) return "lost";
  const { code } = error;
  if (/^(?:401|403)$/.test(String(statusOf(error)))) return "refused";
  if (BUSY.test(code)) return "busy";
  if (OUTAGE.test(code)) return "outage";
  if (ENDED.test(code)) return "ended";
  return LOST.test(code) ? "lost" : "statement";
}

/** Whether the server has done what was asked, and the answer is more than it sends at once. */
export function isResponseTooLarge(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "RESPONSE_TOO_LARGE";
}

/** The HTTP status, where the server gave no other answer. */
function statusOf({ cause }: LibsqlError): unknown {
  return cause instanceof Error && "status" in cause ? cause.status : undefined;
}

/** The fault in words: for callers where it is the database's, for the log where it is the statement's. */
export function faultError(error: unknown): RpcError | SqlError {
  if (error instanceof RpcError || error instanceof SqlError) return error;
  const kind = faultKind(error);
  if (kind === "statement") return statementError(error as LibsqlError);
  const cause = causeOf(error);
  switch (kind) {
    case "busy":
      return kernelErrors.unavailable(`the database is busy with other writers: ${cause}`);
    case "ended":
      return kernelErrors.unavailable(`the database server ended the transaction: ${cause}`);
    case "outage":
      return kernelErrors.unavailable(`the database cannot serve this now: ${cause}`);
    case "refused":
      return kernelErrors.unavailable(`the database server refuses the access token: ${cause}`);
    case "lost":
      return kernelErrors.unavailable(`the database cannot be reached: ${cause}`);
  }
}

function statementError(error: LibsqlError): RpcError | SqlError {
  const message = plainMessage(error);
  if (isResponseTooLarge(error)) {
    return kernelErrors.too_large("one row of what the remote database would answer", "10 MB");
  }
  if (TOO_LARGE.test(error.code) || TOO_LARGE.test(message)) {
    return kernelErrors.too_large(`what the remote database was sent (${message})`, "1 MB a value");
  }
  return new SqlError(sqliteCodeOf(error.code, message), message, { cause: error });
}

/** The text without the prefixes that client and server put before it. */
function plainMessage({ message }: Error): string {
  return message.replace(/^(?:[A-Z_]+: )+/, "").replace(/^SQLite error: /, "");
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause instanceof Error && !(error instanceof LibsqlError) ? `: ${error.cause.message}` : "";
  return plainMessage(error) + inner;
}

const CONSTRAINTS: readonly (readonly [RegExp, string])[] = [
  [/^UNIQUE constraint failed: \w+\.rowid$/, "SQLITE_CONSTRAINT_ROWID"],
  [/^UNIQUE constraint failed/, "SQLITE_CONSTRAINT_UNIQUE"],
  [/^NOT NULL constraint failed/, "SQLITE_CONSTRAINT_NOTNULL"],
  [/^CHECK constraint failed/, "SQLITE_CONSTRAINT_CHECK"],
  [/^FOREIGN KEY constraint failed/, "SQLITE_CONSTRAINT_FOREIGNKEY"],
  [/^cannot store /, "SQLITE_CONSTRAINT_DATATYPE"],
];

/** The server tells a constraint's kind in the text only, and has one code for all that SQLite calls SQLITE_ERROR. */
function sqliteCodeOf(code: string, message: string): string {
  if (code !== "SQLITE_CONSTRAINT") {
    return code.startsWith("SQLITE_") && code !== "SQLITE_UNKNOWN" ? code : "SQLITE_ERROR";
  }
  return CONSTRAINTS.find(([text]) => text.test(message))?.[1] ?? "SQLITE_CONSTRAINT_TRIGGER";
}

/** What the client answers, its errors in the words of every engine. */
export function answered<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((error) => {
    throw faultError(error);
  });
}
