import { readSqlText } from "./sql_text.ts";

/** A row of sqlite_master. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** The table that an index or trigger belongs to; a table's or view's own name. */
  readonly table: string;
  readonly rootPage: number;
  readonly sql: string;
}

/** The objects that a MigrationSession shows. */
export type SchemaObjects = ReadonlyMap<string, { readonly table: string; readonly sql: string }>;

const VIRTUAL = /^\s*create\s+virtual\s/i;
const SHADOW = /^(.+)_(?:data|idx|content|docsize|config)$/;

/** Knows which table lies at a root page, and what hides behind views, triggers and virtual tables. */
export class SchemaMap {
  readonly #tableAtRoot = new Map<number, string>();
  readonly #virtual = new Map<string, string>();
  readonly #hiddenSql = new Map<string, string[]>();

  constructor(objects: Iterable<SchemaObject>) {
    for (const { type, name, table, rootPage, sql } of objects) {
      if (rootPage > 0) this.#tableAtRoot.set(rootPage, table);
      else if (type === "table") this.#virtual.set(name.toLowerCase(), name);
      if (type !== "view" && type !== "trigger") continue;
      const hidden = this.#hiddenSql.get(table.toLowerCase());
      if (hidden === undefined) this.#hiddenSql.set(table.toLowerCase(), [sql]);
      else hidden.push(sql);
    }
  }

  /** The table whose rows, or whose index, lie at a root page. */
  tableAt(rootPage: number): string | undefined {
    return this.#tableAtRoot.get(rootPage);
  }

  /** The virtual table of that name, as its creator spelled it. */
  virtualTable(name: string): string | undefined {
    return this.#virtual.get(name);
  }

  /** The virtual table that keeps its content in this table. */
  ownerOfShadow(table: string): string | undefined {
    const owner = SHADOW.exec(table)?.[1];
    return owner === undefined ? undefined : this.#virtual.get(owner.toLowerCase());
  }

  /** The words and quoted names of a statement, and of every view and trigger that they lead to, lower case. */
  namesBehind(words: Iterable<string>): ReadonlySet<string> {
    const names = new Set(words);
    for (const name of names) {
      for (const sql of this.#hiddenSql.get(name) ?? []) {
        for (const { kind, text } of readSqlText(sql).tokens) if (kind !== "other") names.add(text);
      }
    }
    return names;
  }
}

/** The objects by name, for a MigrationSession. A trigger's key is `trigger <name>`: it may be called like a table. */
export function schemaObjects(objects: Iterable<SchemaObject>): SchemaObjects {
  const byName = new Map<string, { table: string; sql: string }>();
  for (const { type, name, table, sql } of objects) {
    byName.set(type === "trigger" ? `trigger ${name}` : name, { table, sql });
  }
  return byName;
}

/** The tables and views that differ between two schemas, in themselves or in their indexes and triggers. */
export function changedTables(before: SchemaObjects, after: SchemaObjects): ReadonlySet<string> {
  const virtual = new Map<string, string>();
  for (const [name, { sql }] of [...before, ...after]) if (VIRTUAL.test(sql)) virtual.set(name.toLowerCase(), name);
  const changed = new Set<string>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    if (old?.sql === now?.sql && old?.table === now?.table) continue;
    for (const table of [old?.table, now?.table]) {
      if (table === undefined || table.startsWith("sqlite_")) continue;
      changed.add(virtual.get(SHADOW.exec(table)?.[1]?.toLowerCase() ?? "") ?? table);
    }
  }
  return changed;
}
