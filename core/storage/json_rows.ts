import { storedText } from "./bind.ts";

/** The maximum length of one text, well below the maximum size of a value on a libSQL server. */
const MAX_LENGTH = 1 << 19;

/**
 * Encodes rows as JSON arrays for `json_each`, so that one statement inserts many rows. Integers beyond 2^53 become
 * strings, which INTEGER columns convert back. Bytes are not supported.
 *
 * @returns usually one text; more if the rows are too large for one
 *
 * @example
 * ```ts
 * import { jsonRows } from "edgehelm/storage";
 *
 * for (const rows of jsonRows(logs)) await store.insertAll.run(call, { rows });
 * ```
 */
export function jsonRows(rows: readonly object[]): string[] {
  const texts: string[] = [];
  let items: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row, toJsonValue);
    if (length + text.length > MAX_LENGTH && items.length > 0) {
      texts.push(`[${items.join(",")}]`);
      [items, length] = [[], 0];
    }
    items.push(text);
    length += text.length + 1;
  }
  if (items.length > 0) texts.push(`[${items.join(",")}]`);
  return texts;
}

function toJsonValue(_name: string, value: unknown): unknown {
  if (typeof value === "string") return storedText(value);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
