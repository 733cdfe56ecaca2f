import type { RpcError } from "edgehelm";
import { errors } from "./errors.ts";
import { qualifiedValue } from "./targets.ts";
import type { RecordData } from "./values.ts";

/** The fields of a record that can conflict with other records. */
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
  /** The number of records that are turned on, by kind (CNAME, SOA or other) and route. */
  readonly kinds: Map<string, number>;
}

const DEFAULT_ROUTES = ["default"];

/**
 * Detects conflicts between the records of a zone. A record that is turned off conflicts only with an identical record.
 */
export class Zone {
  readonly #names = new Map<string, Name>();
  readonly #domain: string;

  /** @param domain The name of the domain, below which single labels in values are. */
  constructor(domain: string) {
    this.#domain = domain;
  }

  add(record: ZoneRecord): void {
    const name = this.#name(record);
    name.records.add(identity(record, this.#domain));
    for (const kind of kindsOf(record)) name.kinds.set(kind, (name.kinds.get(kind) ?? 0) + 1);
  }

  remove(record: ZoneRecord): void {
    const name = this.#name(record);
    name.records.delete(identity(record, this.#domain));
    for (const kind of kindsOf(record)) name.kinds.set(kind, name.kinds.get(kind)! - 1);
  }

  /** Returns an error if the record conflicts with the records of the zone. */
  conflict(record: ZoneRecord, field: (name: string) => string): RpcError | undefined {
    const { records, kinds } = this.#name(record);
    const description = `${record.name} ${record.type} "${record.value.slice(0, 80)}"`;
    if (records.has(identity(record, this.#domain))) return errors.duplicate(field("value"), description);
    if (!record.isOn) return undefined;
    for (const route of routesOf(record)) {
      const has = (kind: string) => (kinds.get(`${kind} ${route}`) ?? 0) > 0;
      if (record.type === "CNAME" && (has("other") || has("SOA"))) {
        return errors.beside_others(field("type"), description);
      }
      if (record.type !== "CNAME" && has("CNAME")) return errors.beside_cname(field("type"), description);
      if (record.type === "SOA" && has("SOA")) return errors.second_soa(field("type"), description);
    }
    return undefined;
  }

  #name({ name }: ZoneRecord): Name {
    let entry = this.#names.get(name);
    if (entry === undefined) this.#names.set(name, entry = { records: new Set(), kinds: new Map() });
    return entry;
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

/** Returns a key that is equal for records of a domain that are identical in every DNS answer. */
export function identity(record: ZoneRecord, domain: string): string {
  const { type, mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag } = record;
  const data = [type, qualifiedValue(record, domain), mxPriority, srvPriority, srvWeight, srvPort, caaFlag, caaTag];
  return JSON.stringify([...data, ...routesOf(record).toSorted()]);
}
