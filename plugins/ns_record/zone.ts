import type { RpcError } from "edgehelm";
import { errors } from "./errors.ts";
import type { RecordData } from "./values.ts";

/** What of a record matters to those beside it. */
export interface ZoneRecord extends Pick<RecordData, "name" | "type" | "value" | "mxPriority" | "srvPriority"> {
  readonly srvWeight: number;
  readonly srvPort: number;
  readonly caaFlag: number;
  readonly caaTag: string;
  readonly routeCodes: readonly string[];
  readonly isOn: boolean;
}

interface Name {
  readonly records: Set<string>;
  /** How many records that are on there are, by route and kind: CNAME, SOA or another. */
  readonly kinds: Map<string, number>;
}

const DEFAULT_ROUTES = ["default"];

/**
 * The records of a zone by name: tells what can stand beside what. Records that are off take part in nothing but being
 * the same as another.
 */
export class Zone {
  readonly #names = new Map<string, Name>();

  add(record: ZoneRecord): void {
    const name = this.#name(record);
    name.records.add(identity(record));
    for (const kind of kindsOf(record)) name.kinds.set(kind, (name.kinds.get(kind) ?? 0) + 1);
  }

  remove(record: ZoneRecord): void {
    const name = this.#name(record);
    name.records.delete(identity(record));
    for (const kind of kindsOf(record)) name.kinds.set(kind, name.kinds.get(kind)! - 1);
  }

  /** What keeps a record from standing in the zone as it is now. */
  fault(record: ZoneRecord, field: (name: string) => string): RpcError | undefined {
    const { records, kinds } = this.#name(record);
    const shown = `${record.name} ${record.type} "${record.value.slice(0, 80)}"`;
    if (records.has(identity(record))) return errors.duplicate(field("value"), shown);
    if (!record.isOn) return undefined;
    for (const route of routesOf(record)) {
      const has = (kind: string) => (kinds.get(`${kind} ${route}`) ?? 0) > 0;
      if (record.type === "CNAME" && (has("other") || has("SOA"))) return errors.beside_others(field("type"), shown);
      if (record.type !== "CNAME" && has("CNAME")) return errors.beside_cname(field("type"), shown);
      if (record.type === "SOA" && has("SOA")) return errors.second_soa(field("type"), shown);
    }
    return undefined;
  }

  #name({ name }: ZoneRecord): Name {
    let known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, known = { records: new Set(), kinds: new Map() });
    return known;
  }
}

function routesOf({ routeCodes }: ZoneRecord): readonly string[] {
  return routeCodes.length === 0 ? DEFAULT_ROUTES : routeCodes;
}

function kindsOf(record: ZoneRecord): string[] {
  if (!record.isOn) return [];
  const kind = record.type === "CNAME" || record.type === "SOA" ? record.type : "other";
  return routesOf(record).map((route) => `${kind} ${route}`);
}

/** Two records with this in common would be one in every answer. */
export function identity(record: ZoneRecord): string {
  const { type, value, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag } = record;
  const data = [type, value, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag];
  return JSON.stringify([...data, ...routesOf(record).toSorted()]);
}
