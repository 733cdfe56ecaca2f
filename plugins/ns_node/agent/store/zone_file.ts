import { existsSync, readFileSync } from "node:fs";
import type { CheckSetting } from "../health/check.ts";
import { appendSynced, replaceFile } from "./atomic_file.ts";

/** A record of a zone as the API sends it. */
export interface ZoneRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: string;
  readonly isUp: boolean;
  readonly routeCodes: readonly string[];
  /** A greater number has the record chosen more often among those of its name and type; 0 or absent is 10. */
  readonly weight?: number;
  /** The record's own setting of its health check. */
  readonly check?: CheckSetting | undefined;
}

/** A record that is no more. */
export interface DeletedRow {
  readonly id: string;
  readonly isDeleted: true;
}

export type RowChange = ZoneRow | DeletedRow;

/** A record of the beginning of a zone. */
export type HeadRow = Pick<ZoneRow, "name" | "type" | "ttl" | "data">;

/** Everything about a zone but its records. */
export interface ZoneHead {
  readonly name: string;
  /** True if the node may answer for the domain. */
  readonly isOn: boolean;
  /** True if the zone may be transferred to those who sign with one of its keys. */
  readonly isTransferred: boolean;
  /** The version to continue from. */
  readonly version: string;
  /** The serial of the server. */
  readonly serial: number;
  /** The serial that Knot has, 0 for none: never lower than any before. */
  readonly served: number;
  readonly authority: readonly HeadRow[];
  /** The health check of records without a setting of their own. */
  readonly check?: CheckSetting | undefined;
}

interface Entry {
  readonly head: ZoneHead;
  readonly rows: readonly RowChange[];
}

const EMPTY: ZoneHead = {
  name: "",
  isOn: false,
  isTransferred: false,
  version: "0",
  serial: 0,
  served: 0,
  authority: [],
};
/** The file is written again when it has this many rows more than the zone, and twice as many. */
const MIN_WASTE = 200;

/**
 * A zone and its file: a line for each change, so that a change of a large zone is a small write. A line that was cut off
 * by a crash is ignored.
 */
export class ZoneFile {
  readonly id: string;
  readonly rows = new Map<string, ZoneRow>();
  head = EMPTY;
  readonly #path: string;
  #written = 0;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.id = id;
  }

  static open(path: string, id: string): ZoneFile {
    const file = new ZoneFile(path, id);
    if (existsSync(path)) file.#read();
    return file;
  }

  /** Stores a change of the zone. */
  append(head: ZoneHead, rows: readonly RowChange[]): void {
    this.#take({ head, rows });
    if (this.#written > MIN_WASTE + 2 * this.rows.size) this.#rewrite();
    else appendSynced(this.#path, lineOf({ head, rows }));
  }

  /** Stores a zone in place of what was there. */
  replace(head: ZoneHead, rows: Iterable<ZoneRow>): void {
    const kept = [...rows];
    this.rows.clear();
    this.#take({ head, rows: kept });
    this.#rewrite();
  }

  #read(): void {
    const lines = readFileSync(this.#path, "utf8").split("\n");
    // the last line ends with a line break, or was cut off
    const isWhole = lines.pop() === "";
    for (const line of lines) {
      const entry = parsed(line);
      if (entry === undefined) return this.#rewrite();
      this.#take(entry);
    }
    if (!isWhole) this.#rewrite();
  }

  #take({ head, rows }: Entry): void {
    this.head = head;
    for (const row of rows) {
      if ("isDeleted" in row) this.rows.delete(row.id);
      else this.rows.set(row.id, row);
    }
    this.#written += rows.length;
  }

  #rewrite(): void {
    replaceFile(this.#path, lineOf({ head: this.head, rows: [...this.rows.values()] }));
    this.#written = this.rows.size;
  }
}

function lineOf(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

function parsed(line: string): Entry | undefined {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
