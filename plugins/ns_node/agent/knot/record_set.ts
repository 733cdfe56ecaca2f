import type { HeadRow, ZoneRow } from "../store/zone_file.ts";

/** The record sets of a zone: by name and type, the data of each and the TTL that all have. */
export type RecordSets = ReadonlyMap<string, RecordSet>;

export interface RecordSet {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: ReadonlySet<string>;
}

const DEFAULT_ROUTE = "default";

/**
 * Composes the record sets that a zone has for all clients. Records that apply to some clients only are left out, and so
 * are those that are down, unless all of a set are: then health checks are more likely wrong than the answer. Of different
 * TTLs the smallest is that of the set.
 *
 * @param names the names to compose; all by default
 */
export function recordSets(
  authority: readonly HeadRow[],
  rows: Iterable<ZoneRow>,
  names?: ReadonlySet<string>,
): RecordSets {
  const sets = new Map<string, { name: string; type: string; ttl: number; data: Set<string> }>();
  const add = ({ name, type, ttl, data }: HeadRow) => {
    const key = `${name} ${type}`;
    const set = sets.get(key);
    if (set === undefined) {
      sets.set(key, { name, type, ttl, data: new Set([data]) });
    } else {
      // a name has one alias; Knot chooses among several with a module, if it has that
      if (type === "CNAME" && data < [...set.data][0]!) set.data.clear();
      if (type !== "CNAME" || set.data.size === 0) set.data.add(data);
      set.ttl = Math.min(set.ttl, ttl);
    }
  };
  for (const row of authority) {
    if (row.type !== "SOA" && names?.has(row.name) !== false) add(row);
  }
  const down: ZoneRow[] = [];
  for (const row of rows) {
    const isForAll = row.routeCodes.length === 0 || row.routeCodes.includes(DEFAULT_ROUTE);
    if (isForAll && names?.has(row.name) !== false) {
      if (row.isUp) add(row);
      else down.push(row);
    }
  }
  const up = new Set(sets.keys());
  for (const row of down) if (!up.has(`${row.name} ${row.type}`)) add(row);
  return sets;
}

/** Returns the SOA record of a zone with a serial. */
export function startOfAuthority(authority: readonly HeadRow[], serial: number): HeadRow {
  const soa = authority.find(({ type }) => type === "SOA")!;
  const [server, mailbox, , ...times] = soa.data.split(" ");
  return { ...soa, data: [server, mailbox, serial, ...times].join(" ") };
}

/** Returns true if two sets are the same in responses. */
export function equalSets(a: RecordSet | undefined, b: RecordSet | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.ttl === b.ttl && a.data.size === b.data.size && [...a.data].every((data) => b.data.has(data));
}

/** Returns the names and types of sets that differ. */
export function changedSets(before: RecordSets, after: RecordSets): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => !equalSets(before.get(key), after.get(key)));
}
