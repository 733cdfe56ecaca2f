import { storedText } from "./bind.ts";

/** Characters of one text: well under what a libSQL server takes as one value. */
const LONGEST = 1 << 19;

/**
 * Rows as texts for `json_each`, so that one statement writes many: one text unless there is too much for it. Integers
 * are written as JSON numbers, and as texts beyond 2^53, which columns of integers take as such; bytes do not go this way.
 */
export function jsonRows(rows: readonly object[]): string[] {
  const texts: string[] = [];
  let some: string[] = [];
  let length = 0;
  for (const row of rows) {
    const text = JSON.stringify(row, checked);
    if (length + text.length > LONGEST && some.length > 0) {
      texts.push(`[${some.join(",")}]`);
      [some, length] = [[], 0];
    }
    some.push(text);
    length += text.length + 1;
  }
  if (some.length > 0) texts.push(`[${some.join(",")}]`);
  return texts;
}

function checked(_name: string, value: unknown): unknown {
  if (typeof value === "string") return storedText(value);
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
