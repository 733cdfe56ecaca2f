import type { Model } from "./checker.ts";

/** A call on records of one domain, whose names are unique there. */
export type Action =
  | { readonly kind: "create"; readonly name: string; readonly value: string }
  | { readonly kind: "update"; readonly id: string; readonly name: string; readonly value: string }
  | { readonly kind: "delete" | "find"; readonly id: string }
  | { readonly kind: "findByName"; readonly name: string }
  | { readonly kind: "list" | "count" };

/** The results of calls that find or change nothing. */
export const [DONE, TAKEN, MISSING] = ["done", "taken", "missing"];

interface Row {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** The text of a row, as lists and searches give it. */
export function rowText({ id, name, value }: Row): string {
  return `${id}:${name}=${value}`;
}

/** The records of a domain, ordered by id. The result of creating one is its id. */
export const recordModel: Model<readonly Row[], Action, string> = {
  initial: [],
  key: (rows) => rows.map(rowText).join(),
  step(rows, action, result) {
    const read = (expected: string) => result === undefined || result === expected ? rows : undefined;
    const change = (expected: string, changed: readonly Row[]) =>
      result === undefined || result === expected ? changed : undefined;
    switch (action.kind) {
      case "create": {
        const { name, value } = action;
        if (rows.some((row) => row.name === name)) return read(TAKEN!);
        if (result === undefined || !/^\d+$/.test(result) || rows.some(({ id }) => id === result)) return undefined;
        return [...rows, { id: result, name, value }].sort((first, second) => Number(first.id) - Number(second.id));
      }
      case "update": {
        const { id, name, value } = action;
        if (!rows.some((row) => row.id === id)) return read(MISSING!);
        if (rows.some((row) => row.name === name && row.id !== id)) return read(TAKEN!);
        return change(DONE!, rows.map((row) => row.id === id ? { id, name, value } : row));
      }
      case "delete": {
        const rest = rows.filter(({ id }) => id !== action.id);
        return rest.length === rows.length ? read(MISSING!) : change(DONE!, rest);
      }
      case "find": {
        const row = rows.find(({ id }) => id === action.id);
        return read(row === undefined ? MISSING! : rowText(row));
      }
      case "findByName": {
        const row = rows.find(({ name }) => name === action.name);
        return read(row === undefined ? MISSING! : rowText(row));
      }
      case "list":
        return read(rows.map(rowText).join());
      case "count":
        return read(String(rows.length));
    }
  },
};
