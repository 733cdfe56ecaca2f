import { type Call, type Clock, invalid, listField, textField, unixSeconds } from "edgehelm";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRoutes } from "../ns_route/contract.ts";
import { errors } from "./errors.ts";
import { toZoneRecord } from "./rows.ts";
import type { NewRecord, NSRecordRow, NSRecordStore } from "./store.ts";
import { type Draft, type RecordData, recordData } from "./values.ts";
import { Zone } from "./zone.ts";

/** One transaction changes at most so many records. */
export const MAX_AT_ONCE = 5000;
const MAX_ROUTES = 100;
const DEFAULT_ROUTE = "default";

/** A record as a request describes it. */
export interface RecordDraft extends Draft {
  readonly description: string;
  readonly routeCodes: readonly string[];
}

/** Words where a field of a record came from: `records[3].value`. */
export type FieldName = (name: string) => string;

/** Checks, creates and changes the records of domains. */
export class Records {
  readonly #store: NSRecordStore;
  readonly #routes: NSRoutes | undefined;
  readonly #clock: Clock;

  constructor(store: NSRecordStore, routes: NSRoutes | undefined, clock: Clock) {
    this.#store = store;
    this.#routes = routes;
    this.#clock = clock;
  }

  /** Creates all of the records in a domain or none; answers their ids in order. */
  async create(call: Call, domain: NSDomainSummary, drafts: readonly RecordDraft[], field: (at: number) => FieldName) {
    const checked = await this.#checkAll(call, domain, drafts, field);
    const zone = await this.#zone(call, domain.id, checked.map(({ name }) => name));
    const created: NewRecord[] = [];
    const createdAt = unixSeconds(this.#clock);
    for (const [index, record] of checked.entries()) {
      const standing = { ...record, isOn: true };
      const fault = zone.fault(standing, field(index));
      if (fault !== undefined) throw fault;
      zone.add(standing);
      created.push({
        ...columns(record),
        nsDomainId: domain.id,
        nsClusterId: domain.nsClusterId,
        description: record.description,
        createdAt,
      });
    }
    return await this.#store.create(call, created);
  }

  /** Replaces records of a domain by what the drafts say, all or none. */
  async replace(
    call: Call,
    domain: NSDomainSummary,
    changes: readonly { readonly row: NSRecordRow; readonly draft: RecordDraft; readonly isOn: boolean }[],
    field: (at: number) => FieldName,
  ): Promise<void> {
    const checked = await this.#checkAll(call, domain, changes.map(({ draft }) => draft), field);
    const zone = await this.#zone(call, domain.id, checked.map(({ name }) => name), changes.map(({ row }) => row.id));
    const changed = checked.map((record, index) => {
      const { row, isOn } = changes[index]!;
      const standing = { ...record, isOn };
      const fault = zone.fault(standing, field(index));
      if (fault !== undefined) throw fault;
      zone.add(standing);
      const { description } = record;
      return { ...row, ...columns(record), description, isOn: isOn ? 1n : 0n };
    });
    await this.#store.changeAll(call, changed);
  }

  /** What stands at some names of a domain, those with the given ids apart. */
  async #zone(
    call: Call,
    nsDomainId: bigint,
    names: readonly string[],
    without: readonly bigint[] = [],
  ): Promise<Zone> {
    const zone = new Zone();
    const left = new Set(without);
    for (const row of await this.#store.atNames.all(call, { nsDomainId, names: [...new Set(names)] })) {
      if (!left.has(row.id)) zone.add(toZoneRecord(row));
    }
    return zone;
  }

  async #checkAll(
    call: Call,
    domain: NSDomainSummary,
    drafts: readonly RecordDraft[],
    field: (at: number) => FieldName,
  ): Promise<(RecordData & Pick<RecordDraft, "description" | "routeCodes">)[]> {
    const known = new Set<string>();
    const checked = [];
    for (const [index, draft] of drafts.entries()) {
      const routeCodes = routeList(draft.routeCodes);
      const lists = JSON.stringify(routeCodes);
      if (!known.has(lists)) await this.#requireRoutes(call, field(index)("nsRouteCodes"), routeCodes, domain);
      known.add(lists);
      const description = textField(field(index)("description"), draft.description, { max: 1000 });
      checked.push({ ...recordData(field(index), draft, domain.name), description, routeCodes });
    }
    return checked;
  }

  async #requireRoutes(call: Call, field: string, codes: readonly string[], domain: NSDomainSummary): Promise<void> {
    listField(field, codes, (at, code) => textField(at, code, { min: 1 }), { max: MAX_ROUTES });
    if (this.#routes === undefined) {
      if (codes.length > 0) throw invalid(field, "DNS routes are not enabled: leave it empty");
      return;
    }
    const scope = { nsClusterId: domain.nsClusterId, nsDomainId: domain.id, userId: domain.userId };
    await this.#routes.requireCodes(call, field, codes, scope);
  }
}

/** Refuses to change more records than one transaction should. */
export function requireFew(count: number): void {
  if (count > MAX_AT_ONCE) throw errors.too_many(count, MAX_AT_ONCE);
}

/** Each code once; the default route alone is none. */
function routeList(codes: readonly string[]): readonly string[] {
  const distinct = [...new Set(codes.map((code) => code.trim()))];
  return distinct.length === 1 && distinct[0] === DEFAULT_ROUTE ? [] : distinct;
}

function columns(record: RecordData & { readonly routeCodes: readonly string[] }) {
  return {
    name: record.name,
    type: record.type,
    value: record.value,
    ttl: BigInt(record.ttl),
    weight: BigInt(record.weight),
    mxPriority: BigInt(record.mxPriority),
    srvPriority: BigInt(record.srvPriority),
    srvWeight: BigInt(record.srvWeight),
    srvPort: BigInt(record.srvPort),
    caaFlag: BigInt(record.caaFlag),
    caaTag: record.caaTag,
    routeCodes: JSON.stringify(record.routeCodes),
  };
}
