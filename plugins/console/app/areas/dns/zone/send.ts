import type { Operation } from "../../../api/model.ts";
import { call } from "../../../shell/call.ts";
import { type EditedRow, isSameContent, stateOf, unchangedRow, type ZoneRecord } from "./changes.ts";

/** The operations of records that the reader may call. */
export interface RecordOperations {
  readonly list: Operation;
  readonly find?: Operation | undefined;
  readonly create?: Operation | undefined;
  readonly update?: Operation | undefined;
  readonly remove?: Operation | undefined;
}

/** The reason why a change was not made: it failed, or the record is another one meanwhile (undefined if it was deleted). */
export type Problem =
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "conflict"; readonly theirs: ZoneRecord | undefined };

/** The outcome of sending: the rows as they are now, and what is wrong with those that were not sent, by key. */
export interface Sent {
  readonly rows: readonly EditedRow[];
  readonly problems: ReadonlyMap<string, Problem>;
}

type Loaded = ZoneRecord & { readonly nsRoutes: readonly { readonly code: string }[]; readonly isDeleted: boolean };

const PAGE = 1000n;

/** Loads all records of a domain. */
export async function loadRecords(
  { list }: RecordOperations,
  nsDomainId: bigint,
  signal: AbortSignal,
): Promise<ZoneRecord[]> {
  const records: ZoneRecord[] = [];
  for (let offset = 0n;; offset += PAGE) {
    const response = await call(list, { nsDomainId, offset, size: PAGE, nameAsc: true }, signal);
    const page = response["nsRecords"] as Loaded[];
    records.push(...page.map(recordOf));
    if (BigInt(page.length) < PAGE) return records;
  }
}

/** Sends the changes: deletions first, so that what replaces them does not conflict. What cannot be sent stays. */
export async function sendChanges(
  operations: RecordOperations,
  nsDomainId: bigint,
  rows: readonly EditedRow[],
): Promise<Sent> {
  const sent = new Map(rows.map((row) => [row.key, row]));
  const problems = new Map<string, Problem>();
  const order = ["gone", "changed", "new"];
  const pending = rows.filter((row) => stateOf(row) !== "same")
    .sort((one, other) => order.indexOf(stateOf(one)) - order.indexOf(stateOf(other)));
  for (const row of pending) {
    try {
      const conflict = await conflictOf(operations, row);
      if (conflict !== undefined) {
        problems.set(row.key, conflict);
        continue;
      }
      const now = await sendRow(operations, nsDomainId, row);
      if (now === undefined) sent.delete(row.key);
      else sent.set(row.key, now);
    } catch (error) {
      problems.set(row.key, { kind: "failed", error });
    }
  }
  return { rows: [...sent.values()], problems };
}

/** Looks whether another person changed the record since it was loaded. */
async function conflictOf(operations: RecordOperations, { before }: EditedRow): Promise<Problem | undefined> {
  if (before === undefined || operations.find === undefined) return undefined;
  const theirs = await currentOf(operations.find, before.id);
  return theirs !== undefined && isSameContent(before, theirs) ? undefined : { kind: "conflict", theirs };
}

async function currentOf(find: Operation, nsRecordId: bigint): Promise<ZoneRecord | undefined> {
  const { nsRecord } = await call(find, { nsRecordId }) as { readonly nsRecord?: Loaded };
  return nsRecord === undefined || nsRecord.isDeleted ? undefined : recordOf(nsRecord);
}

async function sendRow(
  { find, create, update, remove }: RecordOperations,
  nsDomainId: bigint,
  { before, after }: EditedRow,
): Promise<EditedRow | undefined> {
  if (after === undefined) {
    await call(remove!, { nsRecordId: before!.id });
    return undefined;
  }
  const { id: _, ...content } = after;
  const request = { ...content, nsRouteCodes: [...after.nsRouteCodes] };
  const id = before === undefined
    ? (await call(create!, { ...request, nsDomainId }))["nsRecordId"] as bigint
    : (await call(update!, { ...request, nsRecordId: before.id }), before.id);
  if (before === undefined && !after.isOn) await call(update!, { ...request, nsRecordId: id });
  // the server stores names and values in one form, which may not be the typed one
  return unchangedRow(find && await currentOf(find, id) || { ...after, id });
}

function recordOf(loaded: Loaded): ZoneRecord {
  const { id, description, name, type, value, ttl, mxPriority, srvPriority, srvWeight, srvPort } = loaded;
  const { caaFlag, caaTag, weight, isOn, nsRoutes } = loaded;
  return {
    ...{ id, description, name, type, value, ttl, mxPriority, srvPriority, srvWeight, srvPort },
    ...{ caaFlag, caaTag, weight, isOn, nsRouteCodes: nsRoutes.map(({ code }) => code) },
  };
}
