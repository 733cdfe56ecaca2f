import { kernelErrors, RpcError } from "../../../base/errors.ts";
import { sqliteCode } from "../../../storage/constraint.ts";
import { errorMessage } from "../../settings/files.ts";

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

/** A commit that changed nothing succeeds on a full disk, so it takes this time without a failure to end an outage. */
const QUIET_MILLISECONDS = 1000;

/** Tells whether the last write to the database failed, for example because the disk is full, and reports a change once. */
export class WriteOutage {
  readonly #report: (text: string) => void;
  #reason: string | undefined;
  #failedAt = 0;

  constructor(report: (text: string) => void) {
    this.#report = report;
  }

  /** The reason why the last write failed; undefined if it did not. */
  get reason(): string | undefined {
    return this.#reason;
  }

  began(error: unknown): void {
    if (this.#reason === undefined) {
      this.#report(`writes fail, reads go on: ${errorMessage(error)}`);
    }
    this.#failedAt = performance.now();
    this.#reason = `the last write failed: ${errorMessage(error)}`;
  }

  ended(): void {
    if (this.#reason === undefined || performance.now() - this.#failedAt < QUIET_MILLISECONDS) return;
    this.#report("writes work again");
    this.#reason = undefined;
  }
}
