import { type Call, choiceField, distinct, idField, invalid, pageOf } from "edgehelm";
import type { NSDomainSummary } from "../../ns_domain/contract.ts";
import { fedContent } from "../fed_content.ts";
import { recordName } from "../names.ts";
import { plainMessage, routeCodesOf } from "../rows.ts";
import type { ListNSRecordsRequest } from "../proto/service_ns_record_pb.ts";
import type { Filter, Order } from "../store_lists.ts";
import type { NSRecordRow } from "../store.ts";
import { TYPES } from "../values.ts";
import { type Deps, type Operations, ownedRecord } from "./deps.ts";

type Named =
  | "countAllNSRecords"
  | "countAllNSRecordsWithName"
  | "listNSRecords"
  | "listNSRecordsAfterVersion"
  | "findNSRecord"
  | "findNSRecordWithNameAndType"
  | "findNSRecordsWithNameAndType";

const DEFAULT_ROUTE = { code: "default", name: "Default", isOn: true };

/** The operations that find, list and count records, and the feed for DNS nodes. */
export function listHandlers(deps: Deps): Pick<Operations, Named> {
  const { store, lists, domains, routes, nodes } = deps;

  async function domainOf(call: Call, id: bigint): Promise<NSDomainSummary | undefined> {
    return (await domains.summaries(call, [idField("nsDomainId", id)])).get(id);
  }

  async function messages(call: Call, domain: NSDomainSummary, rows: readonly NSRecordRow[]) {
    const codes = [...new Set(rows.flatMap(routeCodesOf))];
    const [routeOf, nested] = await Promise.all([
      codes.length === 0 ? undefined : routes?.nested(call, codes),
      domains.nested(call, [domain.id]),
    ]);
    const nsDomain = nested.get(domain.id);
    return rows.map((row) => ({
      ...plainMessage(row),
      ...(nsDomain && { nsDomain }),
      nsRoutes: routesOf(row).map((code) =>
        code === DEFAULT_ROUTE.code ? DEFAULT_ROUTE : routeOf?.get(code) ?? { code }
      ),
    }));
  }

  async function findByNameAndType(call: Call, request: { nsDomainId: bigint; name: string; type: string }) {
    const domain = await domainOf(call, request.nsDomainId);
    if (domain === undefined) return undefined;
    const criteria = {
      name: recordName("name", request.name, domain.name),
      type: typeOf(request.type, { required: true }),
    };
    const rows = await store.ofNameAndType.all(call, { nsDomainId: domain.id, ...criteria });
    return { domain, rows };
  }

  return {
    async countAllNSRecords(request, call) {
      const domain = await domainOf(call, request.nsDomainId);
      const filter = filterOf(request);
      return { count: domain === undefined ? 0n : await lists.count(call, filter) };
    },

    async countAllNSRecordsWithName(request, call) {
      const domain = await domainOf(call, request.nsDomainId);
      if (domain === undefined) return { count: 0n };
      const name = recordName("name", request.name, domain.name);
      return await store.countOfName.one(call, { nsDomainId: domain.id, name, type: typeOf(request.type) });
    },

    async listNSRecords(request, call) {
      const page = pageOf(request);
      const domain = await domainOf(call, request.nsDomainId);
      const filter = filterOf(request);
      if (domain === undefined) return {};
      const rows = await lists.list(call, filter, orderOf(request), page);
      return { nsRecords: await messages(call, domain, rows) };
    },

    async findNSRecord({ nsRecordId }, call) {
      const found = await ownedRecord(deps, call, nsRecordId);
      const [nsRecord] = found === undefined ? [] : await messages(call, found.domain, [found.row]);
      return { nsRecord };
    },

    async findNSRecordWithNameAndType(request, call) {
      const found = await findByNameAndType(call, request);
      const [nsRecord] = found === undefined ? [] : await messages(call, found.domain, found.rows.slice(0, 1));
      return { nsRecord };
    },

    async findNSRecordsWithNameAndType(request, call) {
      const found = await findByNameAndType(call, request);
      return found === undefined ? {} : { nsRecords: await messages(call, found.domain, found.rows) };
    },

    async listNSRecordsAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const scope = await nodes?.followedCluster(call) ?? 0n;
      const rows = await store.feed.after(call, { scope, version, size: page.size });
      const served = await domains.served(call, distinct(rows.map((row) => row.nsDomainId)));
      return {
        nsRecords: rows.map((row) => ({
          ...plainMessage(row),
          ...fedState(row, served.get(row.nsDomainId)),
          nsDomain: { id: row.nsDomainId, nsCluster: { id: row.nsClusterId } },
          nsRoutes: routesOf(row).map((code) => ({ code })),
        })),
      };
    },
  };
}

/** Returns what a node receives in place of some columns. A record follows a domain that moves only later. */
function fedState(row: NSRecordRow, domain: NSDomainSummary | undefined) {
  if (domain?.nsClusterId !== row.nsClusterId) return { isOn: false, isDeleted: true };
  return fedContent(row, domain);
}

function routesOf(row: NSRecordRow): string[] {
  const codes = routeCodesOf(row);
  return codes.length === 0 ? [DEFAULT_ROUTE.code] : codes;
}

function typeOf(value: string, { required = false } = {}): string {
  const type = value.trim().toUpperCase();
  return type === "" && !required ? "" : choiceField("type", type, TYPES);
}

function filterOf(
  request: Pick<ListNSRecordsRequest, "nsDomainId" | "type" | "keyword" | "nsRouteCode" | "nsRouteId">,
): Filter {
  const keyword = request.keyword.trim();
  const routeCode = request.nsRouteCode || (request.nsRouteId === 0n ? "" : `id:${request.nsRouteId}`);
  return { nsDomainId: request.nsDomainId, type: typeOf(request.type), keyword, routeCode };
}

function orderOf(request: ListNSRecordsRequest): Order {
  for (const [field, column] of [["name", "name"], ["type", "type"], ["ttl", "ttl"], ["up", "isUp"]] as const) {
    if (request[`${field}Asc`]) return { column, direction: "asc" };
    if (request[`${field}Desc`]) return { column, direction: "desc" };
  }
  return { column: "id", direction: "desc" };
}
