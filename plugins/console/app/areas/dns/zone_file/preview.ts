import type { FileRecord } from "./parse.ts";

/** The effect of an import on one record. */
export interface PreviewRow {
  readonly kind: "new" | "changed" | "gone";
  readonly record: FileRecord;
}

/** The effect of an import, and how many records stay as they are. */
export interface Preview {
  readonly rows: readonly PreviewRow[];
  readonly kept: number;
}

/** A zone as it is. */
export interface Zone {
  readonly records: readonly FileRecord[];
  /** True for what the cluster answers without a record of the domain: such a record cannot be removed. */
  readonly isImplied: (record: FileRecord) => boolean;
}

/** Compares a zone with a file: only an import that replaces changes TTLs and deletes records. */
export function previewOf(zone: Zone, file: readonly FileRecord[], isReplacing: boolean): Preview {
  const present = new Map(zone.records.map((record) => [keyOf(record), record]));
  const wanted = new Map(file.map((record) => [keyOf(record), record]));
  const rows: PreviewRow[] = [];
  for (const [key, record] of wanted) {
    const before = present.get(key);
    if (before === undefined) rows.push({ kind: "new", record });
    else if (isReplacing && before.ttl !== record.ttl && !zone.isImplied(record)) {
      rows.push({ kind: "changed", record });
    }
  }
  if (isReplacing) {
    for (const [key, record] of present) {
      if (!wanted.has(key) && !zone.isImplied(record)) rows.push({ kind: "gone", record });
    }
  }
  return { rows, kept: wanted.size - rows.filter(({ kind }) => kind !== "gone").length };
}

/** A zone has one SOA, whose serial differs in every file. */
function keyOf({ name, type, data }: FileRecord): string {
  return type === "SOA" ? "SOA" : `${name} ${type} ${data}`;
}
