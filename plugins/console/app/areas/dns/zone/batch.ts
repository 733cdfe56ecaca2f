import type { EditedRow, ZoneRecord } from "./changes.ts";

/** The drafts of one request: enough for most zones, and few enough to see progress. */
const DRAFTS = 500;

/** The outcome of adding records together. */
export interface Added {
  /** The reasons why rows were refused, by their keys. */
  readonly refused: ReadonlyMap<string, unknown>;
  /** The rows that have to be sent one by one: the server did not say which of them it refuses. */
  readonly left: readonly EditedRow[];
}

/**
 * Adds records together, which the server does for all or for none. What it refuses by its place is left out, and the
 * others are sent again.
 */
export async function addTogether(
  rows: readonly EditedRow[],
  send: (drafts: readonly Draft[]) => Promise<unknown>,
  onSent: (count: number) => void,
): Promise<Added> {
  const refused = new Map<string, unknown>();
  const left: EditedRow[] = [];
  for (let first = 0; first < rows.length; first += DRAFTS) {
    let chunk = rows.slice(first, first + DRAFTS);
    while (chunk.length > 0) {
      try {
        await send(chunk.map(({ after }) => draftOf(after!)));
        onSent(chunk.length);
        break;
      } catch (error) {
        const message = error instanceof Error ? error.message : "";
        const [prefix, place] = /^recordsJSON\[(\d+)\]\.?/.exec(message) ?? [];
        const bad = place === undefined ? undefined : chunk[Number(place)];
        if (prefix === undefined || bad === undefined) {
          left.push(...chunk);
          break;
        }
        refused.set(bad.key, new Error(message.slice(prefix.length)));
        onSent(1);
        chunk = chunk.filter((row) => row !== bad);
      }
    }
  }
  return { refused, left };
}

/** A record as the operation on several of them takes it. */
export type Draft = Omit<ZoneRecord, "id" | "isOn">;

function draftOf({ id: _id, isOn: _isOn, ...draft }: ZoneRecord): Draft {
  return draft;
}

/**
 * Puts the records as they are now into the rows, which keep their order. Rows that were not sent stay as they are;
 * records that others added meanwhile come last.
 */
export function refreshed(
  rows: readonly EditedRow[],
  records: readonly ZoneRecord[],
  isUnsent: (row: EditedRow) => boolean,
): EditedRow[] {
  const now = new Map(records.map((record) => [record.id, record]));
  const known = new Set(rows.flatMap(({ before }) => before === undefined ? [] : [before.id]));
  // records that are added together get ascending ids
  const added = records.filter(({ id }) => !known.has(id)).sort((one, other) => one.id < other.id ? -1 : 1);
  const kept = rows.flatMap((row) => {
    if (isUnsent(row)) return [row];
    const record = row.before === undefined ? added.shift() : now.get(row.before.id);
    return record === undefined ? [] : [{ key: row.key, before: record, after: record }];
  });
  return [...kept, ...added.map((record) => ({ key: String(record.id), before: record, after: record }))];
}
