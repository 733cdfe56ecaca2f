import { type Call, invalid, RpcError } from "edgehelm";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecordMerge, NSRecordToMerge } from "./contract.ts";
import { errors } from "./errors.ts";
import { MAX_AT_ONCE, type RecordDraft, type Records, requireFew } from "./records.ts";
import { routeCodesOf, toZoneRecord } from "./rows.ts";
import type { NSRecordRow, NSRecordStore } from "./store.ts";
import { type RecordData, recordData } from "./values.ts";
import { identity, Zone, type ZoneRecord } from "./zone.ts";

type Fault = NSRecordMerge["faults"][number];
type Wanted = {
  readonly index: number;
  readonly isImplied: boolean;
  readonly record: RecordData;
  readonly key: string;
};

/** A domain of more records is not replaced at once: those that stay are read too. */
const MAX_TO_COMPARE = 2 * MAX_AT_ONCE;
const asGiven = (name: string) => name;
const NOTHING = { created: 0, updated: 0, skipped: 0, removed: 0 };

/** Brings records into a domain beside, or instead of, those that are there: all or none. */
export async function mergeRecords(
  { store, records }: { readonly store: NSRecordStore; readonly records: Records },
  call: Call,
  domain: NSDomainSummary,
  given: readonly NSRecordToMerge[],
  { replace }: { readonly replace: boolean },
): Promise<NSRecordMerge> {
  requireFew(given.filter(({ isImplied }) => !isImplied).length);
  const faults: Fault[] = [];
  const wanted = checked(given, domain.name, faults);
  if (faults.length > 0) return { ...NOTHING, faults };

  const rows = replace
    ? await store.ofDomain.all(call, { nsDomainId: domain.id, limit: MAX_TO_COMPARE + 1 })
    : await store.atNames.all(call, {
      nsDomainId: domain.id,
      names: [...new Set(wanted.map(({ record }) => record.name))],
    });
  if (replace && rows.length > MAX_TO_COMPARE) throw errors.too_many(rows.length, MAX_TO_COMPARE);
  const wantedKeys = new Set(wanted.map(({ key }) => key));
  const there = new Map(rows.map((row) => [keyOf(toZoneRecord(row)), row]));
  const gives = (row: NSRecordRow) => replace && row.isOn === 1n && routeCodesOf(row).length === 0;
  const removed = [...there].filter(([key, row]) => gives(row) && !wantedKeys.has(key)).map(([, { id }]) => id);

  const zone = new Zone();
  for (const [key, row] of there) {
    // with `replace` those of the list are judged in their turn
    if (!gives(row) && !(replace && wantedKeys.has(key))) zone.add(toZoneRecord(row));
  }
  const created: RecordDraft[] = [];
  const updated: { readonly row: NSRecordRow; readonly ttl: bigint }[] = [];
  const seen = new Set<string>();
  for (const { index, isImplied, record, key } of wanted) {
    const row = there.get(key);
    if (seen.has(key) || row === undefined && isImplied || row !== undefined && !replace) continue;
    seen.add(key);
    const standing: ZoneRecord = { ...record, routeCodes: [], isOn: true };
    const fault = zone.fault(standing, asGiven);
    if (fault !== undefined) {
      faults.push({ index, message: fault.message });
      continue;
    }
    zone.add(standing);
    const ttl = BigInt(record.ttl);
    if (row === undefined) created.push({ ...record, description: "", routeCodes: [] });
    else if (row.ttl !== ttl || row.isOn === 0n) updated.push({ row, ttl });
  }
  if (faults.length > 0) return { ...NOTHING, faults };

  requireFew(created.length + updated.length + removed.length);
  await store.remove(call, removed);
  await store.changeAll(call, updated.map(({ row, ttl }) => ({ ...row, ttl, isOn: 1n })));
  await records.create(call, domain, created, () => asGiven);
  const skipped = given.length - created.length - updated.length;
  return { created: created.length, updated: updated.length, skipped, removed: removed.length, faults };
}

function checked(given: readonly NSRecordToMerge[], zone: string, faults: Fault[]): Wanted[] {
  return given.flatMap((one, index) => {
    try {
      const record = recordData(asGiven, { ...one, weight: 0 }, zone);
      return [{ index, isImplied: one.isImplied, record, key: keyOf({ ...record, routeCodes: [], isOn: true }) }];
    } catch (error) {
      if (!(error instanceof RpcError && error.reason === invalid("", "").reason)) throw error;
      faults.push({ index, message: error.message });
      return [];
    }
  });
}

function keyOf(record: ZoneRecord): string {
  return `${record.name} ${identity(record)}`;
}
