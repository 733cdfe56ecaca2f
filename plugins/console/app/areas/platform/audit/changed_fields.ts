import type { RowChange } from "./logs.ts";

/** A field before and after a change; a text is empty if there was no value. */
export interface ChangedField {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Returns the fields of a row that a change set, added or removed, in the order of the row. */
export function changedFields({ before = {}, after = {} }: RowChange): ChangedField[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].map((name) => ({ name, before: textOf(before[name]), after: textOf(after[name]) }))
    .filter((field) => field.before !== field.after);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
