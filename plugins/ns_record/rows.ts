import type { NSDomainSummary } from "../ns_domain/contract.ts";
import { isChecked } from "./checks.ts";
import type { NSRecordRow } from "./store.ts";
import { fedContent } from "./fed_content.ts";
import type { ZoneRecord } from "./zone.ts";

/** Returns the route codes of a row. */
export function routeCodesOf({ routeCodes }: Pick<NSRecordRow, "routeCodes">): string[] {
  return JSON.parse(routeCodes) as string[];
}

/** Converts a row for conflict checks. */
export function toZoneRecord(row: NSRecordRow): ZoneRecord {
  return {
    ...numbersOf(row),
    name: row.name,
    type: row.type,
    value: row.value,
    caaTag: row.caaTag,
    routeCodes: routeCodesOf(row),
    isOn: row.isOn === 1n,
  };
}

/** Converts the integers of a row to the types of messages. */
export function numbersOf(row: NSRecordRow) {
  return {
    ttl: Number(row.ttl),
    weight: Number(row.weight),
    mxPriority: Number(row.mxPriority),
    srvPriority: Number(row.srvPriority),
    srvWeight: Number(row.srvWeight),
    srvPort: Number(row.srvPort),
    caaFlag: Number(row.caaFlag),
  };
}

/** Converts a row, deleted or not, to a message without domain and routes. */
export function plainMessage(row: NSRecordRow) {
  return {
    ...numbersOf(row),
    id: row.id,
    description: row.description,
    name: row.name,
    type: row.type,
    value: row.value,
    createdAt: row.createdAt,
    isDeleted: row.state === 0n,
    version: row.version,
    isOn: row.isOn === 1n,
    caaTag: row.caaTag,
    healthCheckJSON: row.healthCheckJSON ?? new Uint8Array(),
    isUp: row.isUp === 1n,
  };
}

/** Returns true if nodes check the address of a record: by its own setting, or else by that of its domain. */
export function isHealthChecked(row: NSRecordRow, domain: NSDomainSummary): boolean {
  const isAddress = row.type === "A" || row.type === "AAAA";
  const json = fedContent(row, domain).healthCheckJSON ?? row.healthCheckJSON ?? domain.recordsHealthCheckJSON;
  return isAddress && isChecked(json);
}
