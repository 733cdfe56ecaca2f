import { type Call, invalid, RpcError } from "edgehelm";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordMerge, NSRecordToMerge } from "./contract.ts";
import { errors } from "./errors.ts";
import { MAX_AT_ONCE, type RecordDraft, type Records, requireWithinLimit } from "./records.ts";
import { routeCodesOf, toZoneRecord } from "./rows.ts";
import type { NSRecordRow, NSRecordStore } from "./store.ts";
import { type RecordData, recordData } from "./values.ts";
import { identity, Zone, type ZoneRecord } from "./zone.ts";

type MergeError = NSRecordMerge["errors"][number];
type CheckedRecord = {
  readonly index: number;
  readonly isImplied: boolean;
  readonly record: RecordData;
  readonly key: string;
};

/** The maximum number of records in a domain to replace: records that are kept are read too. */
const MAX_COMPARED = 2 * MAX_AT_ONCE;
const unchanged = (name: string) => name;
const NO_CHANGES = { created: 0, updated: 0, skipped: 0, removed: 0 };

/** Merges records into a domain, or replaces its records with them: all or none. */
export async function mergeRecords(
  { store, records }: { readonly store: NSRecordStore; readonly records: Records },
  call: Call,
  domain: NSDomainSummary,
  candidates: readonly NSRecordToMerge[],
  { replace }: { readonly replace: boolean },
): Promise<NSRecordMerge> {
  requireWithinLimit(candidates.filter(({ isImplied }) => !isImplied).length);
  const mergeErrors: MergeError[] = [];
  const checkedRecords = checkAll(candidates, domain.name, mergeErrors);
  if (mergeErrors.length > 0) return { ...NO_CHANGES, errors: mergeErrors };

  const rows = replace
    ? await store.ofDomain.all(call, { nsDomainId: domain.id, limit: MAX_COMPARED + 1 })
    : await store.atNames.all(call, {
      nsDomainId: domain.id,
      names: [...new Set(checkedRecords.map(({ record }) => record.name))],
    });
  if (replace && rows.length > MAX_COMPARED) throw errors.too_many(rows.length, MAX_COMPARED);
  const mergedKeys = new Set(checkedRecords.map(({ key }) => key));
  const existing = new Map(rows.map((row) => [keyOf(toZoneRecord(row), domain.name), row]));
  const isReplaceable = (row: NSRecordRow) => replace && row.isOn === 1n && routeCodesOf(row).length === 0;
  const removed = [...existing].filter(([key, row]) => isReplaceable(row) && !mergedKeys.has(key)).map(([, { id }]) =>
    id
  );

  const zone = new Zone(domain.name);
  for (const [key, row] of existing) {
    // with `replace`, the loop below checks the records to merge in their order
    if (!isReplaceable(row) && !(replace && mergedKeys.has(key))) zone.add(toZoneRecord(row));
  }
  const created: RecordDraft[] = [];
  const updated: { readonly row: NSRecordRow; readonly ttl: bigint }[] = [];
  const seen = new Set<string>();
  for (const { index, isImplied, record, key } of checkedRecords) {
    const row = existing.get(key);
    if (seen.has(key) || row === undefined && isImplied || row !== undefined && !replace) continue;
    seen.add(key);
    const candidate: ZoneRecord = { ...record, routeCodes: [], isOn: true };
    const conflict = zone.conflict(candidate, unchanged);
    if (conflict !== undefined) {
      mergeErrors.push({ index, message: conflict.message });
      continue;
    }
    zone.add(candidate);
    const ttl = BigInt(record.ttl);
    if (row === undefined) created.push({ ...record, description: "", routeCodes: [] });
    else if (row.ttl !== ttl || row.isOn === 0n) updated.push({ row, ttl });
  }
  if (mergeErrors.length > 0) return { ...NO_CHANGES, errors: mergeErrors };

  requireWithinLimit(created.length + updated.length + removed.length);
  await store.softDelete(call, removed);
  await store.changeAll(call, updated.map(({ row, ttl }) => ({ ...row, ttl, isOn: 1n })));
  await records.create(call, domain, created, () => unchanged);
  const skipped = candidates.length - created.length - updated.length;
  return { created: created.length, updated: updated.length, skipped, removed: removed.length, errors: mergeErrors };
}

function checkAll(candidates: readonly NSRecordToMerge[], zone: string, mergeErrors: MergeError[]): CheckedRecord[] {
  return candidates.flatMap((candidate, index) => {
    try {
      const record = recordData(unchanged, { ...candidate, weight: 0 }, zone);
      return [{
        index,
        isImplied: candidate.isImplied,
        record,
        key: keyOf({ ...record, routeCodes: [], isOn: true }, zone),
      }];
    } catch (error) {
      if (!(error instanceof RpcError && error.reason === invalid("", "").reason)) throw error;
      mergeErrors.push({ index, message: error.message });
      return [];
    }
  });
}

function keyOf(record: ZoneRecord, domain: string): string {
  return `${record.name} ${identity(record, domain)}`;
}
