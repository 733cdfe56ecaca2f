import type { Operation } from "../../../api/model.ts";
import { call } from "../../../shell/call.ts";
import { type EditedRow, stateOf, unchangedRow, type ZoneRecord } from "./changes.ts";

/** The operations of records that the reader may call. */
export interface RecordOperations {
  readonly list: Operation;
  readonly create?: Operation | undefined;
  readonly update?: Operation | undefined;
  readonly remove?: Operation | undefined;
}

/** The outcome of sending: the rows as they are now, and the error that ended it. */
export interface Sent {
  readonly rows: readonly EditedRow[];
  readonly failed?: { readonly key: string; readonly error: unknown };
}

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
    const page = response["nsRecords"] as (ZoneRecord & { readonly nsRoutes: readonly { readonly code: string }[] })[];
    records.push(...page.map((record) => ({ ...record, nsRouteCodes: record.nsRoutes.map(({ code }) => code) })));
    if (BigInt(page.length) < PAGE) return records;
  }
}

/** Sends the changes: deletions first, so that what replaces them does not conflict. What was sent stays if one fails. */
export async function sendChanges(
  operations: RecordOperations,
  nsDomainId: bigint,
  rows: readonly EditedRow[],
): Promise<Sent> {
  const sent = new Map(rows.map((row) => [row.key, row]));
  const order = ["gone", "changed", "new"];
  const pending = rows.filter((row) => stateOf(row) !== "same")
    .sort((one, other) => order.indexOf(stateOf(one)) - order.indexOf(stateOf(other)));
  for (const row of pending) {
    try {
      const now = await sendRow(operations, nsDomainId, row);
      if (now === undefined) sent.delete(row.key);
      else sent.set(row.key, now);
    } catch (error) {
      return { rows: [...sent.values()], failed: { key: row.key, error } };
    }
  }
  return { rows: [...sent.values()] };
}

async function sendRow(
  { create, update, remove }: RecordOperations,
  nsDomainId: bigint,
  row: EditedRow,
): Promise<EditedRow | undefined> {
  const { before, after } = row;
  if (after === undefined) {
    await call(remove!, { nsRecordId: before!.id });
    return undefined;
  }
  const { id: _, ...content } = after;
  const request = { ...content, nsRouteCodes: [...after.nsRouteCodes] };
  if (before === undefined) {
    const { nsRecordId } = await call(create!, { ...request, nsDomainId });
    return unchangedRow({ ...after, id: nsRecordId as bigint });
  }
  await call(update!, { ...request, nsRecordId: before.id });
  return unchangedRow(after);
}
