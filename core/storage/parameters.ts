import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { storedText } from "./bind.ts";
import type { SqlValue } from "./engine.ts";

/** Stands in a compiled query for a value that comes with each run. */
export class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Typed as the values that will come, made of the markers that stand for them. */
export function parameterMarkers<Values extends object>(): Values {
  const markers = new Map<string, Parameter>();
  return new Proxy({}, {
    get(_target, name) {
      if (typeof name !== "string") return undefined;
      let marker = markers.get(name);
      if (marker === undefined) markers.set(name, marker = new Parameter(name));
      return marker;
    },
  }) as Values;
}

/** Integers go down as integers: a JavaScript number would become a REAL. Lists go down as JSON, for `anyOf`. */
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
  throw new TypeError(`a ${typeof value} cannot be a parameter of a statement`);
}

function jsonList(values: readonly unknown[]): string {
  const texts = values.map((one) => {
    if (typeof one === "bigint") return String(one);
    return JSON.stringify(typeof one === "string" ? storedText(one) : one);
  });
  return `[${texts.join(",")}]`;
}

/**
 * A list as a subquery, so that one statement serves lists of every length:
 * `where("id", "in", anyOf(p.ids))`.
 */
export function anyOf<Item extends bigint | string>(values: readonly Item[]): RawBuilder<Item> {
  const parameter = (values as unknown) instanceof Parameter ? values : jsonList(values);
  return sql<Item>`(select value from json_each(${parameter}))`;
}

/** The text as a pattern for `like ... escape '\\'` that finds it anywhere, its own wildcards taken as they stand. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
