import { type Call, type Handlers, idField } from "edgehelm";
import type { NSDomains, NSDomainSummary } from "../../ns_domain/contract.ts";
import type { NSNodes } from "../../ns_node/contract.ts";
import type { NSRoutes } from "../../ns_route/contract.ts";
import { errors } from "../errors.ts";
import type { RecordHealth } from "../health.ts";
import type { Records } from "../records.ts";
import type { NSRecordService } from "../proto/service_ns_record_pb.ts";
import type { NSRecordLists } from "../store_lists.ts";
import type { NSRecordRow, NSRecordStore } from "../store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly store: NSRecordStore;
  readonly lists: NSRecordLists;
  readonly records: Records;
  readonly health: RecordHealth;
  readonly domains: NSDomains;
  readonly routes: NSRoutes | undefined;
  readonly nodes: NSNodes | undefined;
}

export type Operations = Handlers<typeof NSRecordService>;

/** Returns the record and its domain, or undefined if the caller may not access it or it does not exist. */
export async function ownedRecord(
  { store, domains }: Deps,
  call: Call,
  id: bigint,
): Promise<{ readonly row: NSRecordRow; readonly domain: NSDomainSummary } | undefined> {
  const row = await store.byId.first(call, { id });
  const domain = row && (await domains.summaries(call, [row.nsDomainId])).get(row.nsDomainId);
  return domain && { row: row!, domain };
}

/** Returns the record and its domain. Refuses a record that does not exist or belongs to another user. */
export async function requireRecord(deps: Deps, call: Call, nsRecordId: bigint) {
  const found = await ownedRecord(deps, call, idField("nsRecordId", nsRecordId));
  if (found === undefined) throw errors.not_found(nsRecordId);
  return found;
}
