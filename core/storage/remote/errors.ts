import { LibsqlError } from "@libsql/client/web";
import { kernelErrors, RpcError } from "../../base/errors.ts";
import { SqlError } from "../sql_error.ts";

/**
 * The kinds of error of the remote database:
 *
 * - `busy`: a conflict with another writer; nothing was executed.
 * - `lost`: no response, or an unintelligible one; the statements may have been executed.
 * - `ended`: the server ended the transaction and rolled it back.
 * - `outage`: the server cannot work, and rolled the transaction back.
 * - `refused`: the server does not accept the access token.
 * - `statement`: the database refused one statement.
 */
export type RemoteErrorKind = "busy" | "lost" | "ended" | "outage" | "refused" | "statement";

const BUSY = /^SQLITE_(?:BUSY|LOCKED)/;
const OUTAGE = /^SQLITE_(?:FULL|IOERR|NOMEM|CANTOPEN|CORRUPT|NOTADB|READONLY|AUTH|INTERRUPT)|^AUTH/;
const ENDED = /^(?:TRANSACTION_|STREAM_|BATON_)/;
const LOST = /^(?:HRANA_|SERVER_ERROR$|UNKNOWN$|INTERNAL_ERROR$|PROTOCOL_VERSION_ERROR$)/;
const TOO_LARGE = /^(?:RESPONSE_TOO_LARGE|SQLITE_TOOBIG)$|too big|too large/;

/** Classifies an error of the client. */
export function errorKind(error: unknown): RemoteErrorKind {
  if (error instanceof SqlError || error instanceof RpcError) return "statement";
  if (!(error instanceof LibsqlError)) return "lost";
  const { code } = error;
  if (/^(?:401|403)$/.test(String(statusOf(error)))) return "refused";
  if (BUSY.test(code)) return "busy";
  if (OUTAGE.test(code)) return "outage";
  if (ENDED.test(code)) return "ended";
  return LOST.test(code) ? "lost" : "statement";
}

/** Returns true if the statement was executed but its result is too large for one response. */
export function isResponseTooLarge(error: unknown): boolean {
  return error instanceof LibsqlError && error.code === "RESPONSE_TOO_LARGE";
}

/** Returns the HTTP status of a response without a body that the client understands. */
function statusOf({ cause }: LibsqlError): unknown {
  return cause instanceof Error && "status" in cause ? cause.status : undefined;
}

/** Converts an error of the client: to an SqlError if a statement caused it, otherwise to an RpcError for callers. */
export function toEngineError(error: unknown): RpcError | SqlError {
  if (error instanceof RpcError || error instanceof SqlError) return error;
  const kind = errorKind(error);
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
    return kernelErrors.too_large("one row of a result of the remote database", "10 MB");
  }
  if (TOO_LARGE.test(error.code) || TOO_LARGE.test(message)) {
    return kernelErrors.too_large(`a value for the remote database (${message})`, "1 MB");
  }
  return new SqlError(sqliteCodeOf(error.code, message), message, { cause: error });
}

/** Returns the message without the prefixes of client and server. */
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

/** Restores the code of SQLite: the server reports the kind of a constraint in the message only. */
function sqliteCodeOf(code: string, message: string): string {
  if (code !== "SQLITE_CONSTRAINT") {
    return code.startsWith("SQLITE_") && code !== "SQLITE_UNKNOWN" ? code : "SQLITE_ERROR";
  }
  return CONSTRAINTS.find(([text]) => text.test(message))?.[1] ?? "SQLITE_CONSTRAINT_TRIGGER";
}

/** Converts the errors of a promise of the client with {@link toEngineError}. */
export function translateErrors<Result>(promise: Promise<Result>): Promise<Result> {
  return promise.catch((error) => {
    throw toEngineError(error);
  });
}
