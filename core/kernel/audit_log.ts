import type { Call } from "../base/call.ts";
import { type Contract, defineContract } from "../base/contract.ts";
import type { Audit, AuditSettings } from "../calls/audit/audit.ts";
import type { AuditCheck, AuditCheckResult } from "../calls/audit/audit_check.ts";
import type { AuditFilter, AuditList } from "../calls/audit/audit_list.ts";
import { type AuditRow, ERASED_OBJECTS } from "../calls/audit/chain.ts";
import type { Page } from "../fields/page.ts";

/** A record of the kernel's audit log. Its hash is empty in records of releases without a chain. */
export type AuditRecord = AuditRow;

/** The place of a walk through the records whose content is deleted in batches. */
export interface ErasedBatch {
  /** The id of the last record of the batch; the next batch begins after it. */
  readonly through: bigint;
  /** True if there may be more. */
  readonly hasMore: boolean;
}

/** Shows the kernel's audit log to plugins. They can delete contents that are old enough, and change nothing else. */
export interface AuditLog {
  readonly settings: AuditSettings;
  /**
   * Returns records, the newest first. A list goes back over the newest 10,000 records of its days at most, so that its
   * work is bounded.
   *
   * @throws RpcError invalid if a text of the filter has more than 500 characters
   */
  page(call: Call, filter: AuditFilter, page: Page): Promise<readonly AuditRecord[]>;
  /** Returns the number of records that pages of a filter contain. */
  count(call: Call, filter: AuditFilter): Promise<bigint>;
  /** Returns those records of these ids that exist, in any order. */
  find(call: Call, ids: readonly bigint[]): Promise<readonly AuditRecord[]>;
  /**
   * Deletes the content of records, in the transaction of the call. Their hashes stay, and a record says which they were.
   *
   * @throws RpcError not_found if one does not exist, conflict if one is younger than `settings.guardDays` or says which
   *   contents were deleted
   */
  erase(call: Call, ids: readonly bigint[]): Promise<void>;
  /**
   * Deletes the content of a batch of the records after an id that were written before a time, in unix seconds, and are
   * old enough. To be called in a transaction.
   */
  eraseBefore(call: Call, before: bigint, after: bigint): Promise<ErasedBatch>;
  /** Returns the last verification of the chain; undefined before the first. */
  lastVerification(call: Call): Promise<AuditCheckResult | undefined>;
}

/**
 * The kernel's contract for its audit log. The job `kernel.verify_audit` verifies the chain.
 *
 * @example
 * ```ts
 * requires: { auditLog: AuditLog },
 * setup({ route, systemCall, deps: { auditLog } }) {
 *   route("/changes.txt", async () => {
 *     const records = await auditLog.page(systemCall("changes"), { role: "admin" }, { offset: 0n, size: 20n });
 *     return new Response(records.map(({ operation }) => `${operation}\n`).join(""));
 *   });
 * },
 * ```
 */
export const AuditLog: Contract<AuditLog> = defineContract("kernel.audit_log");

const BATCH_SIZE = 1000;
const DAY_SECONDS = 86_400n;

/** Creates the implementation of the contract. */
export function auditLog(audit: Audit, list: AuditList, check: AuditCheck, now: () => bigint): AuditLog {
  return {
    settings: audit.settings,
    page: (call, filter, page) => list.page(call, filter, page),
    count: (call, filter) => list.count(call, filter),
    find: (call, ids) => list.find(call, ids),
    erase: (call, ids) => audit.erase(call, ids),
    async eraseBefore(call, before, after) {
      const guarded = now() - BigInt(audit.settings.guardDays) * DAY_SECONDS;
      const limit = before < guarded ? before : guarded;
      const next = await list.after(call, after, BATCH_SIZE);
      const end = next.findIndex(({ createdAt }) => createdAt >= limit);
      const old = end === -1 ? next : next.slice(0, end);
      const ids = old.filter(({ objects, erasedAt }) => erasedAt === 0n && objects !== ERASED_OBJECTS)
        .map(({ id }) => id);
      if (ids.length > 0) await audit.erase(call, ids);
      return { through: old.at(-1)?.id ?? after, hasMore: end === -1 && next.length === BATCH_SIZE };
    },
    lastVerification: (call) => check.load(call),
  };
}
