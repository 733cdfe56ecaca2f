import { isSecretName, MASKED } from "../../base/secret_names.ts";
import type { SqlValue } from "../../storage/engine.ts";
import type { RowChange, RowValues } from "../../storage/change_log.ts";

const MAX_TEXT = 500;
const MAX_JSON_BYTES = 8192;
const MAX_JSON_DEPTH = 20;
/** The maximum length of all changes of a record, as JSON. */
const MAX_CHANGES_LENGTH = 16_384;
const MAX_OBJECTS_LENGTH = 1000;
/** The form of sealed values: version, key id, nonce and ciphertext. */
const SEALED = /^v1\.[\w-]+\.[\w-]+\.[\w-]+$/;
const MASKED_TEXT = JSON.stringify(MASKED);
/** Texts that JSON writes as they are, and that are no secrets unless they have the form of {@link SEALED}. */
const SIMPLE = /^[\w.@-]{0,100}$/;
const decoder = new TextDecoder();
const USER_INFO = /:\/\/[^/@\s]{1,500}@/g;

/** A value of a JSON text. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The names of the columns with sealed values, as `table.column`. */
export type SealedNames = ReadonlySet<string>;

/** The texts of a record that describe changes. */
export interface DescribedChanges {
  /** The changed rows, such as `nsDomains/7`, separated by spaces. */
  readonly objects: string;
  /** A JSON list of changes, empty if there are none. */
  readonly changesJSON: string;
}

/** Describes changed rows for a record, without secrets and within the limits of a record. */
export function describeChanges(rows: readonly RowChange[], left: number, sealed: SealedNames): DescribedChanges {
  const names = new Set<string>();
  const texts: string[] = [];
  let length = 0;
  let more = left;
  for (const { table, id, before, after } of rows) {
    names.add(id === undefined || id === null ? table : `${table}/${shortText(String(id), 80)}`);
    const described = tableOf(table, sealed);
    let text = `{"table":${described.label}`;
    if (id !== undefined) text += `,"id":${jsonText(id, described.column("id"))}`;
    if (before !== undefined) text += `,"before":${valuesText(described, before)}`;
    if (after !== undefined) text += `,"after":${valuesText(described, after)}`;
    text += "}";
    if (length + text.length > MAX_CHANGES_LENGTH) more++;
    else {
      texts.push(text);
      length += text.length + 1;
    }
  }
  if (more > 0) texts.push(`{"more":${more}}`);
  return {
    objects: shortText([...names].join(" "), MAX_OBJECTS_LENGTH),
    changesJSON: texts.length === 0 ? "" : `[${texts.join(",")}]`,
  };
}

/** Writes the text of an object, which costs half of making an object and then its text. */
function valuesText(table: Table, values: RowValues): string {
  let text = "";
  for (const name in values) {
    const column = table.column(name);
    text += (text === "" ? column.label : `,${column.label}`) + jsonText(values[name]!, column);
  }
  return `{${text}}`;
}

function jsonText(value: SqlValue, { isSecret }: Column): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? String(value) : `"${value}"`;
  if (typeof value === "number") return JSON.stringify(value);
  if (isSecret) return value === "" ? '""' : MASKED_TEXT;
  if (value === "[]") return value;
  if (typeof value === "string" && SIMPLE.test(value) && !value.startsWith("v1.")) return `"${value}"`;
  if (typeof value === "string") return JSON.stringify(textOf(value));
  const json = value.length > MAX_JSON_BYTES ? undefined : parsed(decoder.decode(value));
  return JSON.stringify(json ?? { bytes: value.length });
}

interface Column {
  /** The name as it stands in front of a value. */
  readonly label: string;
  /** True if the values are secrets. */
  readonly isSecret: boolean;
}

/** Knows a table and its columns. They are few, so all are kept. */
class Table {
  /** The name as JSON. */
  readonly label: string;
  readonly #name: string;
  readonly #sealed: SealedNames;
  readonly #columns = new Map<string, Column>();

  constructor(name: string, sealed: SealedNames) {
    this.label = JSON.stringify(name);
    this.#name = name;
    this.#sealed = sealed;
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const isSecret = this.#sealed.has(`${this.#name}.${name}`) || isSecretName(withoutJson(name));
      this.#columns.set(name, column = { label: `${JSON.stringify(name)}:`, isSecret });
    }
    return column;
  }
}

const tablesOf = new WeakMap<SealedNames, Map<string, Table>>();

function tableOf(name: string, sealed: SealedNames): Table {
  let tables = tablesOf.get(sealed);
  if (tables === undefined) tablesOf.set(sealed, tables = new Map());
  let table = tables.get(name);
  if (table === undefined) tables.set(name, table = new Table(name, sealed));
  return table;
}

function textOf(text: string): Json {
  return (text.length <= MAX_JSON_BYTES ? parsed(text) : undefined) ?? plainText(text);
}

function plainText(text: string): string {
  const isSecret = SEALED.test(text) || text.includes("PRIVATE KEY-----");
  return isSecret ? MASKED : shortText(withoutUserInfo(text), MAX_TEXT);
}

/** Returns the masked value of a JSON object or list; undefined if the text is none. */
function parsed(text: string): Json | undefined {
  if (text[0] !== "{" && text[0] !== "[") return undefined;
  try {
    return masked(JSON.parse(text) as Json, 0);
  } catch {
    return undefined;
  }
}

function masked(value: Json, depth: number): Json {
  if (typeof value === "string") return plainText(value);
  if (value === null || typeof value !== "object") return value;
  if (depth > MAX_JSON_DEPTH) return "(nested)";
  if (Array.isArray(value)) return value.map((item) => masked(item as Json, depth + 1));
  // A header or parameter: its name says whether its value is a secret.
  const { name: label } = value as { readonly name?: Json };
  const isSecretPair = typeof label === "string" && isSecretName(label);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isSecret = isSecretName(withoutJson(name)) || isSecretPair && name === "value";
      return [name, isSecret && !isEmpty(member) ? MASKED : masked(member, depth + 1)];
    }),
  );
}

function isEmpty(value: Json): boolean {
  return value === null || typeof value === "boolean" || value === "" || value === 0;
}

function withoutJson(name: string): string {
  return name.replace(/JSON$/, "");
}

/** Returns a text without the user and password of its addresses. */
function withoutUserInfo(text: string): string {
  return text.includes("://") ? text.replace(USER_INFO, `://${MASKED}@`) : text;
}

/** Returns at most `max` characters, and no half of one. */
export function shortText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}
