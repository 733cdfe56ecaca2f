import type { TableConstructorOptions } from "cli-table3";
import { UsageError } from "./exit_codes.ts";

export const FORMATS = ["table", "json", "yaml"] as const;
/** The format in which the response of an operation is printed. */
export type Format = (typeof FORMATS)[number];

/**
 * Returns the format that a flag names.
 *
 * @throws UsageError if there is none of that name
 */
export function formatOf(name: string): Format {
  const format = FORMATS.find((known) => known === name);
  if (format === undefined) throw new UsageError(`--output: must be ${FORMATS.join(", ")}, got "${name}"`);
  return format;
}

/** Formats the data of a response for the terminal. */
export async function formatted(data: unknown, format: Format): Promise<string> {
  if (format === "json") return JSON.stringify(data, undefined, 2);
  if (format === "yaml") return (await import("yaml")).stringify(data, { lineWidth: 0 }).trimEnd();
  return await table(data);
}

type Row = Readonly<Record<string, unknown>>;

const MAX_CELL_LENGTH = 60;
/** Columns of lists without rules between cells, so that other programs can split them. */
const PLAIN: TableConstructorOptions = {
  chars: {
    top: "",
    "top-mid": "",
    "top-left": "",
    "top-right": "",
    bottom: "",
    "bottom-mid": "",
    "bottom-left": "",
    "bottom-right": "",
    left: "",
    "left-mid": "",
    mid: "",
    "mid-mid": "",
    right: "",
    "right-mid": "",
    middle: "  ",
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
};

async function table(data: unknown): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const rows = listOf(data);
  const out = new Table(rows === undefined ? PLAIN : { ...PLAIN, head: columnsOf(rows) });
  if (rows !== undefined) { for (const row of rows) out.push(columnsOf(rows).map((column) => cell(row[column]))); }
  else for (const [name, value] of Object.entries(objectOf(data))) out.push([name, cell(value, Infinity)]);
  return out.toString().split("\n").map((line) => line.trimEnd()).join("\n");
}

/** Returns the objects of a response that is a list; undefined if it is something else. */
function listOf(data: unknown): readonly Row[] | undefined {
  const lists = Object.values(data as Row).filter((value) => Array.isArray(value) && value.length > 0) as unknown[][];
  const [list] = lists;
  if (lists.length !== 1 || list === undefined) return undefined;
  return list.every((item) => typeof item === "object" && item !== null) ? list as Row[] : undefined;
}

/** Returns the object of a response that holds nothing else, or the response. */
function objectOf(data: unknown): Row {
  const values = Object.values(data as Row);
  const [only] = values;
  const isNested = values.length === 1 && typeof only === "object" && only !== null && !Array.isArray(only);
  return (isNested ? only : data) as Row;
}

/** Returns the names of the members of which at least one row has a value to show. */
function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))];
  return names.filter((name) => rows.some((row) => cell(row[name]) !== ""));
}

/** Returns text without control characters, which must not reach the terminal from stored text. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, " ");
}

function cell(value: unknown, maxLength = MAX_CELL_LENGTH): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (text === "[]" || text === "{}") return "";
  const safe = printable(text);
  return safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe;
}
