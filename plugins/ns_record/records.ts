import { type Call, type Clock, invalid, listField, textField, unixSeconds } from "edgehelm";
import type { NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRoutes } from "../ns_route/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import { errors } from "./errors.ts";
import { RECORDS_PER_DOMAIN } from "./quota.ts";
import { toZoneRecord } from "./rows.ts";
import type { NewRecord, NSRecordRow, NSRecordStore } from "./store.ts";
import type { NSRecordLists } from "./store_lists.ts";
import { type Draft, type RecordData, recordData } from "./values.ts";
import { Zone } from "./zone.ts";

/** The maximum number of records that one transaction changes. */
export const MAX_AT_ONCE = 5000;
const MAX_ROUTES = 100;
const DEFAULT_ROUTE = "default";

/** A record as a request describes it. */
export interface RecordDraft extends Draft {
  readonly description: string;
  readonly routeCodes: readonly string[];
}

/** Returns the path of a record's field in the request, such as `records[3].value`. */
export type FieldName = (name: string) => string;

/** Checks, creates and changes the records of domains. */
export class Records {
  readonly #store: NSRecordStore;
  readonly #lists: NSRecordLists;
  readonly #routes: NSRoutes | undefined;
  readonly #quotas: UserQuotas | undefined;
  readonly #clock: Clock;

  constructor(
    store: NSRecordStore,
    lists: NSRecordLists,
    routes: NSRoutes | undefined,
    quotas: UserQuotas | undefined,
    clock: Clock,
  ) {
    this.#store = store;
    this.#lists = lists;
    this.#routes = routes;
    this.#quotas = quotas;
    this.#clock = clock;
  }

  /** Creates all of the records in a domain or none, and returns their ids in order. */
  async create(call: Call, domain: NSDomainSummary, drafts: readonly RecordDraft[], field: (at: number) => FieldName) {
    const checked = await this.#checkAll(call, domain, drafts, field);
    const zone = await this.#zone(call, domain, checked.map(({ name }) => name));
    const created: NewRecord[] = [];
    const createdAt = unixSeconds(this.#clock);
    for (const [index, record] of checked.entries()) {
      const candidate = { ...record, isOn: true };
      const conflict = zone.conflict(candidate, field(index));
      if (conflict !== undefined) throw conflict;
      zone.add(candidate);
      created.push({
        ...columns(record),
        nsDomainId: domain.id,
        nsClusterId: domain.nsClusterId,
        description: record.description,
        createdAt,
      });
    }
    const all = { nsDomainId: domain.id, type: "", keyword: "", routeCode: "" };
    const count = () => this.#lists.count(call, all);
    await this.#quotas?.require(call, RECORDS_PER_DOMAIN, domain.userId, created.length, count);
    return await this.#store.createAll(call, created);
  }

  /** Replaces the content of records of a domain with that of the drafts, all or none. */
  async replace(
    call: Call,
    domain: NSDomainSummary,
    changes: readonly { readonly row: NSRecordRow; readonly draft: RecordDraft; readonly isOn: boolean }[],
    field: (at: number) => FieldName,
  ): Promise<void> {
    const checked = await this.#checkAll(call, domain, changes.map(({ draft }) => draft), field);
    const zone = await this.#zone(call, domain, checked.map(({ name }) => name), changes.map(({ row }) => row.id));
    const changed = checked.map((record, index) => {
      const { row, isOn } = changes[index]!;
      const candidate = { ...record, isOn };
      const conflict = zone.conflict(candidate, field(index));
      if (conflict !== undefined) throw conflict;
      zone.add(candidate);
      const { description } = record;
      return { ...row, ...columns(record), description, isOn: isOn ? 1n : 0n };
    });
    await this.#store.changeAll(call, changed);
  }

  /** Returns the records of a domain at the given names, except those with the given ids. */
  async #zone(
    call: Call,
    { id: nsDomainId, name }: NSDomainSummary,
    names: readonly string[],
    exceptIds: readonly bigint[] = [],
  ): Promise<Zone> {
    const zone = new Zone(name);
    const excluded = new Set(exceptIds);
    for (const row of await this.#store.atNames.all(call, { nsDomainId, names: [...new Set(names)] })) {
      if (!excluded.has(row.id)) zone.add(toZoneRecord(row));
    }
    return zone;
  }

  async #checkAll(
    call: Call,
    domain: NSDomainSummary,
    drafts: readonly RecordDraft[],
    field: (at: number) => FieldName,
  ): Promise<(RecordData & Pick<RecordDraft, "description" | "routeCodes">)[]> {
    const checkedRoutes = new Set<string>();
    const checked = [];
    for (const [index, draft] of drafts.entries()) {
      const routeCodes = routeList(draft.routeCodes);
      const routesKey = JSON.stringify(routeCodes);
      if (!checkedRoutes.has(routesKey)) {
        await this.#requireRoutes(call, field(index)("nsRouteCodes"), routeCodes, domain);
      }
      checkedRoutes.add(routesKey);
      const description = textField(field(index)("description"), draft.description, { max: 1000 });
      checked.push({ ...recordData(field(index), draft, domain.name), description, routeCodes });
    }
    return checked;
  }

  async #requireRoutes(call: Call, field: string, codes: readonly string[], domain: NSDomainSummary): Promise<void> {
    listField(field, codes, (at, code) => textField(at, code, { min: 1 }), { max: MAX_ROUTES });
    if (this.#routes === undefined) {
      if (codes.length > 0) throw invalid(field, "must be empty: DNS routes are not enabled");
      return;
    }
    const scope = { nsClusterId: domain.nsClusterId, nsDomainId: domain.id, userId: domain.userId };
    await this.#routes.requireCodes(call, field, codes, scope);
  }
}

/** Refuses a request that changes more than {@linkcode MAX_AT_ONCE} records. */
export function requireWithinLimit(count: number): void {
  if (count > MAX_AT_ONCE) throw errors.too_many(count, MAX_AT_ONCE);
}

/** Returns the distinct codes; the default route alone is the same as no route. */
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
