import { kernelErrors, RpcError } from "../../base/errors.ts";
import { sqliteCode } from "../../storage/constraint.ts";

const OUTAGE = /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN)/;

/** Words a failure of the machine for callers; leaves every other error as it is. */
export function outageOf(error: unknown): unknown {
  return OUTAGE.test(sqliteCode(error) ?? "") ? unavailable("the database cannot serve this now", error) : error;
}

/** The error for work that the database could not do. */
export function unavailable(what: string, cause: unknown): RpcError {
  if (cause instanceof RpcError) return cause;
  return kernelErrors.unavailable(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
}
