import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSRecords } from "./contract.ts";
import { mergeRecords } from "./merge.ts";
import type { NSZones } from "./zones.ts";
import type { Records } from "./records.ts";
import { numbersOf, routeCodesOf } from "./rows.ts";
import type { NSRecordStore } from "./store.ts";
import { qualifiedValue } from "./targets.ts";

/** Implements the contract on top of the store. */
export function nsRecords(
  deps: { readonly store: NSRecordStore; readonly records: Records; readonly domains: NSDomains },
): Omit<NSRecords, keyof NSZones> {
  const { store, domains } = deps;
  return {
    async page(call, nsDomainId, after, limit) {
      const domain = await domains.requireDomain(call, nsDomainId);
      const rows = await store.ofDomainAfter.all(call, { nsDomainId, after, limit });
      return rows.map((row) => ({
        ...numbersOf(row),
        id: row.id,
        name: row.name,
        type: row.type,
        value: qualifiedValue(row, domain.name),
        caaTag: row.caaTag,
        isOn: row.isOn === 1n,
        version: row.version,
        routeCodes: routeCodesOf(row),
      }));
    },
    async places(call, ids) {
      const rows = ids.length === 0 ? [] : await store.places.all(call, { ids });
      return new Map(rows.map(({ id, state, ...place }) => [id, { ...place, isDeleted: state === 0n }]));
    },
    async removeExact(call, nsDomainId, { name, type, value }) {
      const rows = await store.atNames.all(call, { nsDomainId, names: [name] });
      await store.softDelete(call, rows.filter((row) => row.type === type && row.value === value).map(({ id }) => id));
    },
    async merge(call, nsDomainId, records, options) {
      return await mergeRecords(deps, call, await domains.requireDomain(call, nsDomainId), records, options);
    },
  };
}
