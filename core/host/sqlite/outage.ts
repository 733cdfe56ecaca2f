import { kernelErrors, RpcError } from "../../base/errors.ts";
import { sqliteCode } from "../../storage/constraint.ts";

const OUTAGE = /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN)/;

/** Converts errors of the disk, memory or locks to `unavailable` for callers. Returns any other error unchanged. */
export function toUnavailable(error: unknown): unknown {
  return OUTAGE.test(sqliteCode(error) ?? "") ? unavailable("the database is temporarily unavailable", error) : error;
}

/** Returns an `unavailable` error that names the failed work and the cause. Returns an RpcError unchanged. */
export function unavailable(what: string, cause: unknown): RpcError {
  if (cause instanceof RpcError) return cause;
  return kernelErrors.unavailable(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
}
