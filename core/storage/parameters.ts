import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { invalid } from "../base/errors.ts";
import { storedText } from "./bind.ts";
import type { SqlValue } from "./engine.ts";

/** A placeholder in a compiled statement for a value of each run. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns an object whose members are placeholders, typed as the values that will replace them. */
export function parameterPlaceholders<Values extends object>(): Values {
  const placeholders = new Map<string, Parameter>();
  return new Proxy({}, {
    get(_target, name) {
      if (typeof name !== "string") return undefined;
      let placeholder = placeholders.get(name);
      if (placeholder === undefined) placeholders.set(name, placeholder = new Parameter(name));
      return placeholder;
    },
  }) as Values;
}

/** Converts a value for SQL. Integers become bigints, since a number would become a REAL; lists become JSON. */
export function toSqlValue(value: unknown): SqlValue {
  switch (typeof value) {
    case "bigint":
    case "string":
      return value;
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case "boolean":
      return value ? 1n : 0n;
    case "undefined":
      return null;
  }
  if (value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return jsonList(value);
  throw new TypeError(`a value of type ${typeof value} cannot be a parameter of a statement`);
}

function jsonList(values: readonly unknown[]): string {
  const texts = values.map((value) => {
    if (typeof value === "bigint") return String(value);
    if (Array.isArray(value)) return jsonList(value);
    return JSON.stringify(typeof value === "string" ? storedText(value) : value);
  });
  return `[${texts.join(",")}]`;
}

/**
 * Returns a list as a subquery for `in`, so that one compiled statement serves lists of any length.
 *
 * @example
 * ```ts
 * import { anyOf } from "edgehelm";
 *
 * const byIds = db.query((q, p: { ids: readonly bigint[] }) =>
 *   q.selectFrom("plans").selectAll().where("id", "in", anyOf(p.ids))
 * );
 * ```
 */
export function anyOf<Item extends bigint | string>(values: readonly Item[]): RawBuilder<Item> {
  const parameter = (values as unknown) instanceof Parameter ? values : jsonList(values);
  return sql<Item>`(select value from json_each(${parameter}))`;
}

/** The maximum length of a text to search for. SQLite refuses patterns of 50,000 bytes. */
export const MAX_SEARCHED_LENGTH = 500;

/**
 * Returns the LIKE pattern of the texts that contain `text`. Wildcards in `text` are escaped by a backslash, which the
 * statement must declare.
 *
 * @param field the request field with the text, for errors
 * @throws RpcError invalid if the text has more than 500 characters
 *
 * @example
 * ```ts
 * import { containing } from "edgehelm/storage";
 *
 * const search = db.query((q, p: { pattern: string }) =>
 *   q.selectFrom("plans").selectAll().where(sql<SqlBool>`name like ${p.pattern} escape '\\'`)
 * );
 * const plans = await search.all(call, { pattern: containing(keyword) });
 * ```
 */
export function containing(text: string, field = "keyword"): string {
  if (text.length > MAX_SEARCHED_LENGTH) {
    throw invalid(field, `must have at most ${MAX_SEARCHED_LENGTH} characters, got ${text.length}`);
  }
  return `%${text.replace(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`;
}
