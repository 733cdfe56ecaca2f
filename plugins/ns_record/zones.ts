import type { Db } from "edgehelm";
import type { NSRecords, NSZoneDomain, NSZoneRecord } from "./contract.ts";
import { fedContent } from "./fed_content.ts";
import { numbersOf, routeCodesOf } from "./rows.ts";
import type { NSRecordRow, Tables } from "./store.ts";
import { nsZoneStore } from "./store_zones.ts";

/** The part of the contract from which nodes get zones. */
export type NSZones = Pick<NSRecords, "zonesAfter" | "zoneVersions" | "zoneRecordsAfter" | "zoneAuthorities">;

export function nsZones(db: Db<Tables>): NSZones {
  const store = nsZoneStore(db);
  return {
    zonesAfter: (call, page) => store.changedAfter.all(call, page),
    async zoneVersions(call, ids) {
      const states = await store.states.all(call, { ids });
      return new Map(states.map((state) => [state.nsDomainId, state]));
    },
    async zoneRecordsAfter(call, domain, version, limit) {
      const rows = await store.recordsAfter.all(call, { nsDomainId: domain.id, version, limit });
      return rows.map((row) => zoneRecord(row, domain));
    },
    async zoneAuthorities(call, domains) {
      const rows = await store.authorities.all(call, { ids: domains.map(({ id }) => id) });
      const byDomain = Map.groupBy(rows, ({ nsDomainId }) => nsDomainId);
      return new Map(
        domains.map((domain) => [domain.id, (byDomain.get(domain.id) ?? []).map((row) => zoneRecord(row, domain))]),
      );
    },
  };
}

function zoneRecord(row: NSRecordRow, domain: NSZoneDomain): NSZoneRecord {
  const { id, version, name, type, caaTag } = row;
  return {
    ...{ id, version, name, type, caaTag },
    ...numbersOf(row),
    isOn: row.state === 1n && row.isOn === 1n,
    isUp: row.isUp === 1n,
    routeCodes: routeCodesOf(row),
    healthCheckJSON: row.healthCheckJSON ?? new Uint8Array(),
    ...fedContent(row, domain),
  };
}
