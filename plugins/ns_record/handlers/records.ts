import { idField, invalid, jsonBytes, jsonField, numberField } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import {
  type NSRecordsHealthCheck,
  NSRecordsHealthCheckSchema,
} from "edgehelm/proto/shapes/ns_records_health_check_pb.js";
import type { RecordDraft } from "../records.ts";
import { type Deps, type Operations, ownedRecord, requireRecord } from "./deps.ts";

type Named =
  | "createNSRecord"
  | "createNSRecords"
  | "updateNSRecord"
  | "deleteNSRecord"
  | "findNSRecordHealthCheck"
  | "updateNSRecordHealthCheck"
  | "updateNSRecordIsUp";

const HEALTH_CHECK_MAXIMUMS = { port: 65_535, timeoutSeconds: 3600, countUp: 1000, countDown: 1000 } as const;
const unchanged = () => (name: string) => name;

/** The operations that create, change and delete the records of one domain. */
export function recordHandlers(deps: Deps): Pick<Operations, Named> {
  const { store, records, domains, health } = deps;

  return {
    async createNSRecord(request, call) {
      const domain = await domains.requireDomain(call, idField("nsDomainId", request.nsDomainId));
      const [nsRecordId] = await records.create(call, domain, [draftOf(request)], unchanged);
      return { nsRecordId: nsRecordId! };
    },

    async createNSRecords(request, call) {
      const { names } = request;
      if (names.length === 0) throw invalid("names", "must not be empty");
      if (names.length > MAX_LIST_LENGTH) throw invalid("names", `must have at most ${MAX_LIST_LENGTH} items`);
      const domain = await domains.requireDomain(call, idField("nsDomainId", request.nsDomainId));
      const drafts = names.map((name) => ({ ...draftOf(request), name }));
      const field = (index: number) => (name: string) => name === "name" ? `names[${index}]` : name;
      return { nsRecordIds: await records.create(call, domain, drafts, field) };
    },

    async updateNSRecord(request, call) {
      const { row, domain } = await requireRecord(deps, call, request.nsRecordId);
      await records.replace(call, domain, [{ row, draft: draftOf(request), isOn: request.isOn }], unchanged);
      return {};
    },

    async deleteNSRecord({ nsRecordId }, call) {
      const { row } = await requireRecord(deps, call, nsRecordId);
      await store.softDelete(call, [row.id]);
      return {};
    },

    async findNSRecordHealthCheck({ nsRecordId }, call) {
      const found = await ownedRecord(deps, call, nsRecordId);
      return { nsRecordHealthCheckJSON: found?.row.healthCheckJSON ?? new Uint8Array() };
    },

    async updateNSRecordHealthCheck({ nsRecordId, nsRecordHealthCheckJSON }, call) {
      const { row, domain } = await requireRecord(deps, call, nsRecordId);
      const field = "nsRecordHealthCheckJSON";
      const check = jsonField(field, nsRecordHealthCheckJSON, NSRecordsHealthCheckSchema);
      if (check === undefined) return {};
      const healthCheckJSON = jsonBytes(NSRecordsHealthCheckSchema, withDefaults(field, check));
      await store.change(call, row, { healthCheckJSON });
      await health.settle(call, { ...row, healthCheckJSON }, domain);
      return {};
    },

    async updateNSRecordIsUp({ nsRecordId, isUp }, call) {
      if (call.caller.role === "dns") {
        await health.report(call, idField("nsRecordId", nsRecordId), isUp);
        return {};
      }
      const { row } = await requireRecord(deps, call, nsRecordId);
      await health.forget(call, row.id);
      if (isUp !== (row.isUp === 1n)) await store.change(call, row, { isUp: isUp ? 1n : 0n });
      return {};
    },
  };
}

/** Returns the record that a request describes; fields that the request does not have are empty. */
export function draftOf(
  request: Partial<Omit<RecordDraft, "routeCodes">> & {
    readonly nsRouteCodes?: readonly string[];
    readonly nsRouteIds?: readonly bigint[];
  },
): RecordDraft {
  const { nsRouteCodes = [], nsRouteIds = [] } = request;
  return {
    name: request.name ?? "",
    type: request.type ?? "",
    value: request.value ?? "",
    ttl: request.ttl ?? 0,
    weight: request.weight ?? 0,
    mxPriority: request.mxPriority ?? 0,
    srvPriority: request.srvPriority ?? 0,
    srvWeight: request.srvWeight ?? 0,
    srvPort: request.srvPort ?? 0,
    caaFlag: request.caaFlag ?? 0,
    caaTag: request.caaTag ?? "",
    description: request.description ?? "",
    routeCodes: [...nsRouteCodes, ...nsRouteIds.map((id) => `id:${id}`)],
  };
}

/** Sets missing numbers to 0, which means the setting of the domain. */
function withDefaults(field: string, check: NSRecordsHealthCheck): NSRecordsHealthCheck {
  const complete = { ...check };
  for (const key of Object.keys(HEALTH_CHECK_MAXIMUMS) as (keyof typeof HEALTH_CHECK_MAXIMUMS)[]) {
    complete[key] = numberField(`${field}.${key}`, check[key] ?? 0, {
      min: 1,
      max: HEALTH_CHECK_MAXIMUMS[key],
      orZero: true,
    });
  }
  return complete;
}
