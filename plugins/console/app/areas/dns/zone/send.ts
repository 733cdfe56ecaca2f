import type { Operation } from "../../../api/model.ts";
import { writeJson } from "../../../parts/json_bytes.ts";
import { call } from "../../../shell/call.ts";
import { addTogether, refreshed } from "./batch.ts";
import { type EditedRow, isSameContent, stateOf, unchangedRow, type ZoneRecord } from "./changes.ts";

/** The domain whose records are changed. */
export interface Zone {
  readonly id: bigint;
  readonly name: string;
  /** The owner; 0n for the installation. */
  readonly userId: bigint;
}

/** The operations of records that the reader may call. */
export interface RecordOperations {
  readonly list: Operation;
  readonly find?: Operation | undefined;
  readonly create?: Operation | undefined;
  /** Creates several records, or none. */
  readonly createTogether?: Operation | undefined;
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
  signal?: AbortSignal,
): Promise<ZoneRecord[]> {
  const records: ZoneRecord[] = [];
  for (let offset = 0n;; offset += PAGE) {
    const response = await call(list, { nsDomainId, offset, size: PAGE, nameAsc: true }, signal);
    const page = response["nsRecords"] as Loaded[];
    records.push(...page.map(recordOf));
    if (BigInt(page.length) < PAGE) return records;
  }
}

/** Beyond this number of changes, the records are loaded again together instead of one by one. */
const FEW = 10;
/** Deletions do not depend on each other. */
const DELETIONS_AT_ONCE = 4;

/** Sends the changes: deletions first, so that what replaces them does not conflict. What cannot be sent stays. */
export async function sendChanges(
  operations: RecordOperations,
  domain: Zone,
  rows: readonly EditedRow[],
  onProgress: (done: number) => void,
): Promise<Sent> {
  const sent = new Map(rows.map((row) => [row.key, row]));
  const problems = new Map<string, Problem>();
  const pending = Map.groupBy(rows, stateOf);
  const [gone, changed, added] = (["gone", "changed", "new"] as const).map((state) => pending.get(state) ?? []);
  const isMany = gone!.length + changed!.length + added!.length > FEW;
  let done = 0;
  const count = (more: number) => onProgress(done += more);
  async function send(row: EditedRow): Promise<void> {
    try {
      const conflict = await conflictOf(operations, row);
      if (conflict !== undefined) return void problems.set(row.key, conflict);
      const now = await sendRow(isMany ? { ...operations, find: undefined } : operations, domain.id, row);
      if (now === undefined) sent.delete(row.key);
      else sent.set(row.key, now);
    } catch (error) {
      problems.set(row.key, { kind: "failed", error });
    } finally {
      count(1);
    }
  }
  for (let first = 0; first < gone!.length; first += DELETIONS_AT_ONCE) {
    await Promise.all(gone!.slice(first, first + DELETIONS_AT_ONCE).map(send));
  }
  for (const row of changed!) await send(row);
  // a record that is off is made in two steps
  const together = operations.createTogether === undefined ? [] : added!.filter(({ after }) => after?.isOn);
  const isTogether = together.length > 1;
  const { refused, left } = await addTogether(isTogether ? together : [], (drafts) => {
    const nsDomainNames = [domain.name];
    const { userId } = domain;
    return call(operations.createTogether!, { nsDomainNames, userId, recordsJSON: writeJson(drafts) });
  }, count);
  for (const [key, error] of refused) problems.set(key, { kind: "failed", error });
  for (const row of isTogether ? added!.filter((row) => !row.after?.isOn || left.includes(row)) : added!) {
    await send(row);
  }
  if (!isMany && !isTogether) return { rows: [...sent.values()], problems };
  const records = await loadRecords(operations, domain.id);
  return { rows: refreshed([...sent.values()], records, ({ key }) => problems.has(key)), problems };
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
