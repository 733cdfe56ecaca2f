import { type Call, mayAccessOwner, onlyOwned } from "edgehelm";
import type { NSDomains, NSDomainSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import { requireDomain } from "./ownership.ts";
import { domainName } from "./rules.ts";
import type { Serving } from "./serving.ts";
import type { NSDomainStore } from "./store.ts";
import type { NSDomainRow } from "./store_tables.ts";
import { baseMessage } from "./summaries.ts";

/** Implements the contract `NSDomains`. */
export function nsDomains(domains: NSDomainStore, serving: Serving): NSDomains {
  return {
    async summaries(call, ids) {
      const rows = await domains.byIds.all(call, { ids: [...ids] });
      return new Map(rows.filter((row) => onlyOwned(call, row)).map((row) => [row.id, summary(row)]));
    },
    async nested(call, ids) {
      const rows = ids.length === 0 ? [] : await domains.byIds.all(call, { ids: [...ids] });
      return new Map(
        rows.map((row) => [row.id, onlyOwned(call, row) === undefined ? { id: row.id } : baseMessage(row)]),
      );
    },
    async served(call, ids) {
      const rows = (await domains.byIds.all(call, { ids: [...ids] })).filter(({ isOn }) => isOn === 1n);
      const isAdmitted = await serving.admitted(call, rows);
      return new Map(rows.filter(isAdmitted).map((row) => [row.id, summary(row)]));
    },
    async requireDomain(call, id) {
      return summary(await requireDomain(domains, call, id));
    },
    async requireNamed(call: Call, field, userId, requestedNames) {
      const names = requestedNames.map((name, index) => domainName(field(index), name));
      const rows = mayAccessOwner(call.caller, userId) ? await domains.ofOwner.all(call, { userId, names }) : [];
      // A name can be on several clusters; the newest domain is used.
      const byName = new Map(rows.map((row) => [row.name, summary(row)]));
      return names.map((name, index) => {
        const domain = byName.get(name);
        if (domain === undefined) throw errors.name_not_found(field(index), name);
        return domain;
      });
    },
  };
}

function summary(row: Pick<NSDomainRow, keyof NSDomainSummary>): NSDomainSummary {
  const { id, name, isOn, userId, nsClusterId, recordsHealthCheckJSON } = row;
  return { id, name, isOn: isOn === 1n, userId, nsClusterId, recordsHealthCheckJSON };
}
