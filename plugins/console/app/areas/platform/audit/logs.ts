import { callPath } from "../../../shell/call.ts";
import { readJson } from "../../../parts/json_bytes.ts";
import { mayCall } from "../../../shell/state.ts";

export const LIST = "LogService/listLogs";
const FIND = "LogService/findLog";
const COUNT = "LogService/countLogs";
export const SIZE = 50;
/** The maximum number of records in an exported file. */
export const MAX_EXPORTED = 10_000;
const EXPORT_SIZE = 1000;

/** The record of an action. */
export interface AuditLog {
  readonly id: bigint;
  readonly level: string;
  readonly action: string;
  readonly adminId: bigint;
  readonly userId: bigint;
  readonly createdAt: bigint;
  readonly ip: string;
  readonly userName: string;
  readonly description: string;
  /** The role of the caller. */
  readonly type: string;
  readonly source: string;
}

/** The content of an audit record. */
export interface AuditDetails {
  readonly changes: readonly RowChange[];
  readonly keyId: string;
  readonly requestId: string;
  readonly callerRequestId: string;
  readonly code: number;
  readonly reason: string;
  readonly countCalls: bigint;
  readonly isErased: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** A changed row, or the number of those that are left out. */
export interface RowChange {
  readonly table?: string;
  readonly id?: unknown;
  readonly before?: Row;
  readonly after?: Row;
  readonly more?: number;
}

const FIELDS = ["dayFrom", "dayTo", "keyword", "userType", "level", "source"] as const;

/** A filter as it is typed; it is in the address of the page. */
export type AuditFilter = Readonly<Record<(typeof FIELDS)[number], string>>;

/** Reads a filter from the address. */
export function filterIn(parameters: URLSearchParams): AuditFilter {
  return Object.fromEntries(FIELDS.map((name) => [name, parameters.get(name) ?? ""])) as AuditFilter;
}

export interface AuditPage {
  readonly logs: readonly AuditLog[];
  /** Undefined if the reader may not count. */
  readonly total: number | undefined;
}

/** Loads a page of records, newest first. */
export async function loadAudit(filter: AuditFilter, offset: number, signal?: AbortSignal): Promise<AuditPage> {
  const [logs, total] = await Promise.all([
    loadPage(filter, offset, SIZE, signal),
    mayCall(COUNT) ? callPath(COUNT, filter, signal) : undefined,
  ]);
  return { logs, total: total === undefined ? undefined : Number(total["count"]) };
}

/** Loads what an audit record says. */
export async function loadDetails(logId: bigint, signal?: AbortSignal): Promise<AuditDetails> {
  const found = await callPath(FIND, { logId }, signal);
  return { ...found, changes: readJson<readonly RowChange[]>(found["changesJSON"]) ?? [] } as unknown as AuditDetails;
}

/** Loads what a filter finds for a file, at most {@link MAX_EXPORTED} records. */
export async function loadAll(filter: AuditFilter): Promise<readonly AuditLog[]> {
  const all: AuditLog[] = [];
  while (all.length < MAX_EXPORTED) {
    const logs = await loadPage(filter, all.length, EXPORT_SIZE);
    all.push(...logs);
    if (logs.length < EXPORT_SIZE) break;
  }
  return all;
}

async function loadPage(
  filter: AuditFilter,
  offset: number,
  size: number,
  signal?: AbortSignal,
): Promise<readonly AuditLog[]> {
  const response = await callPath(LIST, { ...filter, offset: BigInt(offset), size: BigInt(size) }, signal);
  return response["logs"] as readonly AuditLog[];
}
