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
    const text = JSON.stringify({
      table,
      ...id !== undefined && { id: jsonOf(table, "id", id, sealed) },
      ...before !== undefined && { before: valuesOf(table, before, sealed) },
      ...after !== undefined && { after: valuesOf(table, after, sealed) },
    });
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

function valuesOf(table: string, values: RowValues, sealed: SealedNames): Record<string, Json> {
  const described: Record<string, Json> = {};
  for (const column in values) described[column] = jsonOf(table, column, values[column]!, sealed);
  return described;
}

function jsonOf(table: string, column: string, value: SqlValue, sealed: SealedNames): Json {
  if (value === null || value === "") return value;
  if (typeof value === "bigint" || typeof value === "number") {
    return Number.isSafeInteger(Number(value)) || typeof value === "number" ? Number(value) : String(value);
  }
  if (isSecretColumn(table, column, sealed)) return MASKED;
  if (typeof value === "string") return textOf(value);
  if (value.length > MAX_JSON_BYTES) return { bytes: value.length };
  const text = decoder.decode(value);
  return parsed(text) ?? { bytes: value.length };
}

const secretColumns = new Map<string, boolean>();

/** Returns true if the values of a column are secrets. The columns of an installation are few, so all are kept. */
function isSecretColumn(table: string, column: string, sealed: SealedNames): boolean {
  const name = `${table}.${column}`;
  if (sealed.has(name)) return true;
  let isSecret = secretColumns.get(name);
  if (isSecret === undefined) secretColumns.set(name, isSecret = isSecretName(withoutJson(column)));
  return isSecret;
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
