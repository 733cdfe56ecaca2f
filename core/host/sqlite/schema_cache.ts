import type { SqlRow } from "../../storage/engine.ts";
import { SchemaMap, type SchemaObject } from "../../storage/guard/schema_map.ts";

const OBJECTS = "select rowid, type, name, tbl_name, coalesce(rootpage, 0), coalesce(sql, '') from sqlite_master";

interface KnownSchema {
  readonly version: number;
  readonly objects: readonly SchemaObject[];
  readonly map: SchemaMap;
  /** The highest row of sqlite_master: CREATE inserts above it. */
  readonly lastRow: number;
}

/**
 * The schema that a connection sees. It is read again when its version changes. What this connection created since then
 * is read alone: the migrations of a new database would otherwise read all objects hundreds of times.
 */
export class SchemaCache {
  readonly #query: (sql: string) => readonly SqlRow[];
  #known: KnownSchema | undefined;
  /** The number of CREATE statements since the schema was read. */
  #created = 0;

  /** @param query runs a query of the kernel on the connection */
  constructor(query: (sql: string) => readonly SqlRow[]) {
    this.#query = query;
  }

  get map(): SchemaMap {
    return this.#current().map;
  }

  get objects(): readonly SchemaObject[] {
    return this.#current().objects;
  }

  /** Called after a CREATE in a transaction, in which no other connection can change the schema. */
  created(): void {
    this.#created++;
  }

  /** True if objects were created since the schema was read: it is to be cleared when the transaction ends. */
  get hasCreated(): boolean {
    return this.#created > 0;
  }

  clear(): void {
    this.#known = undefined;
    this.#created = 0;
  }

  #current(): KnownSchema {
    const version = Number(this.#query("pragma schema_version")[0]?.[0]);
    if (this.#known?.version !== version) this.#known = this.#read(version);
    this.#created = 0;
    return this.#known;
  }

  #read(version: number): KnownSchema {
    // Each change adds to the version, so the sum is another one if anything but one object for each CREATE was made.
    const known = this.#known?.version === version - this.#created ? this.#known : undefined;
    const rows = this.#query(known === undefined ? OBJECTS : `${OBJECTS} where rowid > ${known.lastRow}`);
    const objects = rows.map(objectOf);
    const lastRow = rows.reduce((last, [rowid]) => Math.max(last, Number(rowid)), known?.lastRow ?? 0);
    if (known === undefined) return { version, objects, map: new SchemaMap(objects), lastRow };
    known.map.add(objects);
    return { version, objects: [...known.objects, ...objects], map: known.map, lastRow };
  }
}

function objectOf([, type, name, table, rootPage, sql]: SqlRow): SchemaObject {
  return { type: String(type), name: String(name), table: String(table), rootPage: Number(rootPage), sql: String(sql) };
}
