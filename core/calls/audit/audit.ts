import { type Call, type Caller, callerId } from "../../base/call.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { isOwnRequestId, newRequestId } from "../../net/request_ids.ts";
import { defineErrors } from "../../base/errors.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { CapturedChanges } from "../../storage/change_log.ts";
import type { Db } from "../../storage/database.ts";
import type { Session } from "../../storage/engine.ts";
import { type KernelCall, kernelCall } from "../../storage/kernel_call.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import { anyOf } from "../../storage/parameters.ts";
import { ERASED_OBJECTS } from "./chain.ts";
import { ChainedRecords, type NewRecord } from "./chained_records.ts";
import { describeChanges, type SealedNames, shortText } from "./masked_values.ts";

const NO_CHANGES: CapturedChanges = { rows: [], left: 0 };
const PRUNE_BATCH_SIZE = 5000;
const DAY_SECONDS = 86_400n;

/** The ages to which records are kept. */
export interface AuditSettings {
  /** The age in days at which a record is deleted. */
  readonly keepDays: number;
  /** The age in days below which its content cannot be deleted either. */
  readonly guardDays: number;
}

const MAX_DAYS = 3650;

export const DEFAULT_AUDIT_SETTINGS: AuditSettings = { keepDays: 180, guardDays: 90 };

/**
 * Returns the settings of an installation, with defaults for those that it leaves out.
 *
 * @throws StartupError that names the setting and its range
 */
export function readAuditSettings(
  settings: { readonly keepDays?: number | undefined; readonly guardDays?: number | undefined } = {},
): AuditSettings {
  const { keepDays = Math.max(DEFAULT_AUDIT_SETTINGS.keepDays, settings.guardDays ?? 0) } = settings;
  const { guardDays = Math.min(DEFAULT_AUDIT_SETTINGS.guardDays, keepDays) } = settings;
  requireDays("keepDays", keepDays, 1, MAX_DAYS);
  requireDays("guardDays", guardDays, 0, keepDays);
  return { keepDays, guardDays };
}

function requireDays(name: string, days: number, min: number, max: number): void {
  if (Number.isSafeInteger(days) && days >= min && days <= max) return;
  throw new StartupError(`audit.${name}: must be from ${min} to ${max} days, got ${days}`);
}

const auditErrors = defineErrors("audit", {
  record_not_found: ["not_found", (id: bigint) => `audit record ${id} does not exist`],
  record_guarded: [
    "conflict",
    (id: bigint, days: number) => `audit record ${id} is younger than ${days} days (audit.guardDays)`,
  ],
  record_kept: [
    "conflict",
    (id: bigint) => `audit record ${id} says which contents were deleted; it stays as long as records are kept`,
  ],
});

/** The holder of a token that is issued, and its credential. */
export interface TokenHolderRecord {
  readonly role: string;
  readonly subjectId: bigint;
  readonly source: string;
  readonly keyId: bigint;
}

export interface AuditDeps {
  readonly db: Db<KernelTables>;
  readonly clock: Clock;
  readonly sealed: SealedNames;
  readonly settings: AuditSettings;
}

/**
 * The audit log. Each change, each token that is issued and each secret that a person reads has a record, which is
 * written in the transaction of the change, or before the response.
 */
export class Audit {
  readonly records: ChainedRecords;
  readonly #deps: AuditDeps;
  readonly #oldest;
  readonly #delete;
  readonly #createdAt;
  readonly #erase;
  readonly #recorded = new WeakSet<Session>();
  /** The transactions whose record says only which contents they deleted. */
  readonly #erasing = new WeakSet<Session>();

  constructor(deps: AuditDeps) {
    const { db } = deps;
    this.#deps = deps;
    this.records = new ChainedRecords(db);
    this.#oldest = db.query((q) =>
      q.selectFrom("kernel_audit").select(["id", "hash", "createdAt"]).orderBy("id").limit(PRUNE_BATCH_SIZE)
    );
    this.#createdAt = db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("kernel_audit").select(["id", "createdAt", "objects"]).where("id", "in", anyOf(p.ids))
    );
    const empty = Object.fromEntries(
      ["requestId", "callerRequestId", "role", "keyId", "address", "operation", "objects", "changesJSON", "reason"]
        .map((column) => [column, ""]),
    );
    this.#erase = db.query((q, p: { ids: readonly bigint[]; erasedAt: bigint }) =>
      q.updateTable("kernel_audit").set({ ...empty, callerId: 0n, erasedAt: p.erasedAt })
        .where("id", "in", anyOf(p.ids))
    );
    this.#delete = db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("kernel_audit").where("id", "in", anyOf(p.ids))
    );
  }

  get settings(): AuditSettings {
    return this.#deps.settings;
  }

  /** Prepares the record of a transaction that has just begun. */
  begin(call: Call): void {
    this.records.begin(call);
  }

  /** Writes the record of a transaction, with the rows that it changed, unless it already has one. */
  async record(call: Call, operation: string): Promise<void> {
    const kernel = kernelCall(call);
    const { session, changes } = kernel;
    const isErasing = this.#erasing.has(session);
    if (this.#recorded.has(session) && !isErasing) return;
    const reading = changes?.changes(session) ?? NO_CHANGES;
    const { rows, left } = reading instanceof Promise ? await reading : reading;
    if (isErasing && rows.length === 0) return;
    await this.#append(kernel, operation, describeChanges(rows, left, this.#deps.sealed));
  }

  /** Writes the record of a token that is about to be issued, in a transaction of its own if there is none. */
  async issued(call: Call, { role, subjectId, source, keyId }: TokenHolderRecord): Promise<void> {
    await call.transact(async (inner) => {
      const kernel = kernelCall(inner);
      await this.#append(kernel, kernel.scope.operation, {
        role,
        callerId: subjectId,
        keyId: `${source}/${keyId}`,
        objects: "token",
      });
    });
  }

  /** Writes the record of secrets that a response is about to show. */
  async revealed(call: Call, operation: string, objects: readonly string[]): Promise<void> {
    await this.#append(kernelCall(call), operation, { objects: shortText(objects.join(" "), 1000) });
  }

  async #append(kernel: KernelCall, operation: string, more: Partial<NewRecord>): Promise<void> {
    this.#recorded.add(kernel.session);
    const { caller, requestId } = kernel;
    const isOwn = isOwnRequestId(requestId) || caller.role === "system";
    kernel.scope.auditId ??= isOwn ? requestId : newRequestId();
    await this.records.append(kernel, {
      createdAt: unixSeconds(this.#deps.clock),
      requestId: kernel.scope.auditId,
      callerRequestId: isOwn ? "" : requestId,
      role: caller.role,
      callerId: callerId(caller),
      keyId: keyOf(caller),
      address: kernel.remoteAddress ?? "",
      operation,
      objects: "",
      changesJSON: "",
      code: 200n,
      reason: "",
      count: 1n,
      ...more,
    });
  }

  /**
   * Deletes the content of records, in the transaction of the call. Their hashes stay, so that the chain still verifies,
   * and a record says which they are.
   *
   * @throws RpcError not_found if there is no such record, conflict if one is younger than `guardDays` or says which
   *   contents were deleted
   */
  async erase(call: Call, ids: readonly bigint[]): Promise<void> {
    const now = unixSeconds(this.#deps.clock);
    const found = await this.#createdAt.all(call, { ids });
    const missing = ids.find((id) => !found.some((row) => row.id === id));
    if (missing !== undefined) throw auditErrors.record_not_found(missing);
    const youngest = now - BigInt(this.settings.guardDays) * DAY_SECONDS;
    const guarded = found.find(({ createdAt }) => createdAt > youngest);
    if (guarded !== undefined) throw auditErrors.record_guarded(guarded.id, this.settings.guardDays);
    const kept = found.find(({ objects }) => objects === ERASED_OBJECTS);
    if (kept !== undefined) throw auditErrors.record_kept(kept.id);
    await this.#erase.run(call, { ids, erasedAt: now });
    this.#erasing.add(kernelCall(call).session);
    const changesJSON = JSON.stringify({ erased: ids.map(String) });
    await this.#append(kernelCall(call), kernelCall(call).scope.operation, { objects: ERASED_OBJECTS, changesJSON });
  }

  /** Deletes a batch of expired records, the oldest first. Returns true if there may be more. */
  async prune(call: Call): Promise<boolean> {
    const before = unixSeconds(this.#deps.clock) - BigInt(this.settings.keepDays) * DAY_SECONDS;
    const oldest = await this.#oldest.all(call, {});
    const firstKept = oldest.findIndex(({ createdAt }) => createdAt >= before);
    const last = oldest.at(firstKept === -1 ? oldest.length - 1 : firstKept - 1);
    if (oldest.length === 0 || firstKept === 0 || last === undefined) return false;
    await this.#delete.run(call, { ids: oldest.map(({ id }) => id).filter((id) => id <= last.id) });
    await this.records.setAnchor(call, last);
    return firstKept === -1 && oldest.length === PRUNE_BATCH_SIZE;
  }
}

/** Returns the credential of a caller's token, such as `user_access_key/3`; empty if there is none. */
export function keyOf({ credential }: Caller): string {
  return credential === undefined ? "" : `${credential.source}/${credential.keyId}`;
}

/** Returns true if a caller is a person, whose changes are recorded row by row, and who may not read secrets unseen. */
export function isPerson({ role }: Caller): boolean {
  return role === "admin" || role === "user";
}

/** Returns true if a caller is a machine of the installation. */
export function isMachine({ role }: Caller): boolean {
  return role !== "admin" && role !== "user" && role !== "anonymous" && role !== "system";
}
