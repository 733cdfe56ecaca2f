import { readSqlText } from "./sql_text.ts";

/** A row of sqlite_master. */
export interface SchemaObject {
  readonly type: string;
  readonly name: string;
  /** The table that an index or trigger belongs to; for tables and views their own name. */
  readonly table: string;
  readonly rootPage: number;
  readonly sql: string;
}

/** The objects of a schema by name, as a MigrationSession returns them. */
export type SchemaObjects = ReadonlyMap<string, { readonly table: string; readonly sql: string }>;

const NO_NAMES: ReadonlySet<string> = new Set();
const VIRTUAL = /^\s*create\s+virtual\s/i;
const SHADOW = /^(.+)_(?:data|idx|content|docsize|config)$/i;

/** Returns the table for full text search to which a table belongs if its name is that of a shadow table. */
export function virtualTableOf(table: string): string | undefined {
  return SHADOW.exec(table)?.[1];
}

/** Returns true for the SQL text of a virtual table. */
export function isVirtual(sql: string): boolean {
  return VIRTUAL.test(sql);
}

/** Maps root pages to tables, and views, triggers and virtual tables to the names that they use. */
export class SchemaMap {
  readonly #tableAtRoot = new Map<number, string>();
  readonly #virtual = new Map<string, string>();
  readonly #hiddenSql = new Map<string, string[]>();
  /** The names in the views and triggers of a table, read when a statement first uses it. */
  readonly #hiddenNames = new Map<string, ReadonlySet<string>>();

  constructor(objects: Iterable<SchemaObject>) {
    this.add(objects);
  }

  /** Adds objects that were created. */
  add(objects: Iterable<SchemaObject>): void {
    for (const { type, name, table, rootPage, sql } of objects) {
      if (rootPage > 0) this.#tableAtRoot.set(rootPage, table);
      else if (type === "table") this.#virtual.set(name.toLowerCase(), name);
      if (type !== "view" && type !== "trigger") continue;
      this.#hiddenNames.delete(table.toLowerCase());
      const hidden = this.#hiddenSql.get(table.toLowerCase());
      if (hidden === undefined) this.#hiddenSql.set(table.toLowerCase(), [sql]);
      else hidden.push(sql);
    }
  }

  /** Returns the table whose rows or index are stored at a root page. */
  tableAt(rootPage: number): string | undefined {
    return this.#tableAtRoot.get(rootPage);
  }

  /** Returns a virtual table in its original spelling. */
  virtualTable(name: string): string | undefined {
    return this.#virtual.get(name);
  }

  /** Returns the virtual table to which a shadow table belongs. */
  ownerOfShadow(table: string): string | undefined {
    const owner = virtualTableOf(table);
    return owner === undefined ? undefined : this.#virtual.get(owner.toLowerCase());
  }

  /** Returns the words of a statement and the names in all views and triggers that it uses, in lower case. */
  namesBehind(words: Iterable<string>): ReadonlySet<string> {
    const names = new Set(words);
    for (const name of names) for (const hidden of this.#hiddenIn(name)) names.add(hidden);
    return names;
  }

  #hiddenIn(table: string): ReadonlySet<string> {
    const texts = this.#hiddenSql.get(table);
    if (texts === undefined) return NO_NAMES;
    let names = this.#hiddenNames.get(table);
    if (names === undefined) {
      const tokens = texts.flatMap((sql) => readSqlText(sql).tokens);
      names = new Set(tokens.filter(({ kind }) => kind !== "other").map(({ text }) => text));
      this.#hiddenNames.set(table, names);
    }
    return names;
  }
}

/** Returns objects by name. The key of a trigger is `trigger <name>`, because it may have the name of a table. */
export function schemaObjects(objects: Iterable<SchemaObject>): SchemaObjects {
  const byName = new Map<string, SchemaObject>();
  for (const object of objects) {
    byName.set(object.type === "trigger" ? `trigger ${object.name}` : object.name, object);
  }
  return byName;
}

/** Returns the tables and views that differ between two schemas, including their indexes and triggers. */
export function changedTables(before: SchemaObjects, after: SchemaObjects): ReadonlySet<string> {
  const virtual = new Map<string, string>();
  for (const [name, { sql }] of [...before, ...after]) if (isVirtual(sql)) virtual.set(name.toLowerCase(), name);
  const changed = new Set<string>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, current] = [before.get(name), after.get(name)];
    if (old?.sql === current?.sql && old?.table === current?.table) continue;
    for (const table of [old?.table, current?.table]) {
      if (table === undefined || table.startsWith("sqlite_")) continue;
      changed.add(virtual.get(virtualTableOf(table)?.toLowerCase() ?? "") ?? table);
    }
  }
  return changed;
}
