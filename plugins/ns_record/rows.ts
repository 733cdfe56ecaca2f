import type { NSRecordRow } from "./store.ts";
import type { ZoneRecord } from "./zone.ts";

/** The routes of a row. */
export function routeCodesOf({ routeCodes }: Pick<NSRecordRow, "routeCodes">): string[] {
  return JSON.parse(routeCodes) as string[];
}

/** A row as those beside it see it. */
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

/** The numbers of a row, as messages have them. */
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

/** A record by itself, deleted or not. */
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
