import type { Call, Page } from "edgehelm";
import type { AuditFilter, AuditLog, AuditRecord } from "edgehelm/runtime";
import type { Log } from "./proto/service_log_pb.ts";
import type { LogList, LogRow } from "./store.ts";

/** Ids from here are those of audit records: 2^52 plus the id of the record. */
export const FIRST_AUDIT_ID = 2n ** 52n;
/** The record of a console's log says nothing that the log does not. */
export const CREATE_LOG = "/LogService/createLog";

/** The filter of a list of both sources. */
export interface BothFilter {
  readonly from: bigint;
  readonly to: bigint;
  readonly level: "" | (typeof LEVELS)[number];
  readonly userType: string;
  readonly keyword: string;
  readonly source: string;
}

export const LEVELS = ["info", "warn", "error"] as const;

/** An item of a list: a log of a console or an audit record. */
export type Item = { readonly log: LogRow } | { readonly record: AuditRecord };

/** Reads the logs of consoles and the audit records as one list, the newest first. */
export class BothLogs {
  readonly #list: LogList;
  readonly #audit: AuditLog;

  constructor(list: LogList, audit: AuditLog) {
    this.#list = list;
    this.#audit = audit;
  }

  async count(call: Call, filter: BothFilter): Promise<bigint> {
    const [logs, records] = await Promise.all([
      filter.source === "audit" ? 0n : this.#list.count(call, filter),
      filter.source === "log" ? 0n : this.#audit.count(call, auditFilter(filter)),
    ]);
    return logs + records;
  }

  /** Of two items of the same second, the log is before the record. */
  async page(call: Call, filter: BothFilter, { offset, size }: Page): Promise<Item[]> {
    const records = auditFilter(filter);
    const logs = async (page: Page) => filter.source === "audit" ? [] : await this.#list.page(call, filter, page);
    const audited = async (page: Page) => filter.source === "log" ? [] : await this.#audit.page(call, records, page);
    const skipped = await this.#skippedLogs(offset, filter, logs, audited);
    const [newLogs, newRecords] = await Promise.all([
      logs({ offset: skipped, size }),
      audited({ offset: offset - skipped, size }),
    ]);
    const items: Item[] = [...newLogs.map((log) => ({ log })), ...newRecords.map((record) => ({ record }))];
    return items.sort((one, other) => Number(timeOf(other) - timeOf(one))).slice(0, Number(size));
  }

  /** Returns how many of the first items of the list are logs, by halving the possible numbers. */
  async #skippedLogs(
    offset: bigint,
    { source }: BothFilter,
    logs: (page: Page) => Promise<readonly LogRow[]>,
    audited: (page: Page) => Promise<readonly AuditRecord[]>,
  ): Promise<bigint> {
    if (source !== "") return source === "log" ? offset : 0n;
    let [low, high] = [0n, offset];
    while (low < high) {
      const middle = (low + high) / 2n;
      const [[log], [record]] = await Promise.all([
        logs({ offset: middle, size: 1n }),
        audited({ offset: offset - middle - 1n, size: 1n }),
      ]);
      // The log is among the first items unless the record that would take its place is newer.
      const isBefore = log !== undefined && (record === undefined || log.createdAt >= record.createdAt);
      if (isBefore) low = middle + 1n;
      else high = middle;
    }
    return low;
  }
}

function timeOf(item: Item): bigint {
  return "log" in item ? item.log.createdAt : item.record.createdAt;
}

function auditFilter({ from, to, level, userType, keyword }: BothFilter): AuditFilter {
  return { from, to, level, role: userType, keyword, except: CREATE_LOG };
}

/** Returns the id that an audit record has in a list. */
export function listedId(recordId: bigint): bigint {
  return FIRST_AUDIT_ID + recordId;
}

/** Separates the ids of audit records from those of logs. */
export function separated(ids: readonly bigint[]): { readonly logs: bigint[]; readonly records: bigint[] } {
  return {
    logs: ids.filter((id) => id < FIRST_AUDIT_ID),
    records: ids.filter((id) => id >= FIRST_AUDIT_ID).map((id) => id - FIRST_AUDIT_ID),
  };
}

/** Returns an audit record as a log without names. */
export function logOf(record: AuditRecord): Omit<Log, "$typeName" | "userName" | "providerId"> {
  const { role, callerId, operation, objects, reason, code, erasedAt } = record;
  return {
    id: listedId(record.id),
    level: code < 400n ? "info" : code < 500n ? "warn" : "error",
    action: operation,
    adminId: role === "admin" ? callerId : 0n,
    userId: role === "user" ? callerId : 0n,
    createdAt: record.createdAt,
    type: role,
    ip: record.address,
    description: erasedAt > 0n ? "" : reason || objects || operation,
    source: "audit",
  };
}
