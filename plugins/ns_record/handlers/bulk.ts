import { type Call, choiceField, invalid, ownerOf, textField } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import type { NSDomainSummary } from "../../ns_domain/contract.ts";
import { recordName } from "../names.ts";
import { MAX_AT_ONCE, requireWithinLimit } from "../records.ts";
import { numbersOf, routeCodesOf } from "../rows.ts";
import { NSRecordDraftSchema } from "../proto/shapes_pb.ts";
import type { NSRecordRow } from "../store.ts";
import { TYPES } from "../values.ts";
import type { Deps, Operations } from "./deps.ts";
import { draftOf } from "./records.ts";

type Named = "importNSRecords" | Extract<keyof Operations, `${string}WithDomainNames`>;

interface SearchRequest {
  readonly nsDomainNames: readonly string[];
  readonly userId: bigint;
  readonly searchName: string;
  readonly searchValue: string;
  readonly searchType: string;
  readonly searchNSRouteCodes: readonly string[];
}

/** The operations on records of several domains at once, which change all records or none. */
export function bulkHandlers({ store, lists, records, domains }: Deps): Pick<Operations, Named> {
  async function domainsOf(call: Call, { nsDomainNames, userId }: Pick<SearchRequest, "nsDomainNames" | "userId">) {
    if (nsDomainNames.length === 0) throw invalid("nsDomainNames", "must not be empty");
    if (nsDomainNames.length > MAX_LIST_LENGTH) {
      throw invalid("nsDomainNames", `must have at most ${MAX_LIST_LENGTH} items, got ${nsDomainNames.length}`);
    }
    const found = await domains.requireNamed(
      call,
      (index) => `nsDomainNames[${index}]`,
      ownerOf(call, userId),
      nsDomainNames,
    );
    return [...new Map(found.map((domain) => [domain.id, domain])).values()];
  }

  /** Returns the records that match a request, by domain. */
  async function search(call: Call, request: SearchRequest) {
    const { searchName, searchValue, searchType, searchNSRouteCodes: routeCodes } = request;
    if (searchName === "" && searchValue === "" && searchType === "" && routeCodes.length === 0) {
      throw invalid("searchName", "a name, value, type or route to search for is required");
    }
    const type = searchType === "" ? "" : choiceField("searchType", searchType.trim().toUpperCase(), TYPES);
    const value = textField("searchValue", searchValue, { max: 4096 });
    const found: { readonly domain: NSDomainSummary; readonly rows: NSRecordRow[] }[] = [];
    let count = 0;
    for (const domain of await domainsOf(call, request)) {
      const name = searchName === "" ? "" : recordName("searchName", searchName, domain.name);
      const criteria = { nsDomainId: domain.id, name, values: spellings(value), type, routeCodes };
      const rows = await lists.search(call, criteria, MAX_AT_ONCE + 1);
      requireWithinLimit(count += rows.length);
      found.push({ domain, rows });
    }
    return found;
  }

  /** Returns a searched value with and without a final dot, which clients add and omit at will. */
  function spellings(value: string): readonly string[] {
    const name = value.replace(/\.$/, "");
    return value === "" ? [] : [name, `${name}.`];
  }

  return {
    async createNSRecordsWithDomainNames(request, call) {
      const drafts = jsonListField("recordsJSON", request.recordsJSON, NSRecordDraftSchema) ?? [];
      if (drafts.length === 0) throw invalid("recordsJSON", "must have at least one record");
      const found = await domainsOf(call, request);
      requireWithinLimit(found.length * drafts.length);
      const field = (index: number) => (name: string) => `recordsJSON[${index}].${name}`;
      for (const domain of found) {
        const nsDomainId = domain.id;
        const names = drafts.map(({ name }, index) => recordName(field(index)("name"), name, domain.name));
        const kinds = new Set(drafts.map(({ type }, index) => `${names[index]} ${type.trim().toUpperCase()}`));
        const old = request.removeAll
          ? await store.ofDomain.all(call, { nsDomainId, limit: MAX_AT_ONCE + 1 })
          : request.removeOld
          ? (await store.atNames.all(call, { nsDomainId, names })).filter(({ name, type }) =>
            kinds.has(`${name} ${type}`)
          )
          : [];
        requireWithinLimit(old.length);
        await store.softDelete(call, old.map(({ id }) => id));
        await records.create(call, domain, drafts.map(draftOf), field);
      }
      return {};
    },

    async updateNSRecordsWithDomainNames(request, call) {
      const { newName, newValue, newType, newNSRouteCodes } = request;
      const newFieldOf: Readonly<Record<string, string>> = { name: "newName", value: "newValue", type: "newType" };
      const field = () => (name: string) => newFieldOf[name] ?? (name === "nsRouteCodes" ? "newNSRouteCodes" : name);
      for (const { domain, rows } of await search(call, request)) {
        const changes = rows.map((row) => ({
          row,
          isOn: row.isOn === 1n,
          draft: {
            ...numbersOf(row),
            caaTag: row.caaTag,
            description: row.description,
            name: newName || row.name,
            value: newValue || row.value,
            type: newType || row.type,
            routeCodes: newNSRouteCodes.length > 0 ? newNSRouteCodes : routeCodesOf(row),
          },
        }));
        await records.replace(call, domain, changes, field);
      }
      return {};
    },

    async deleteNSRecordsWithDomainNames(request, call) {
      for (const { rows } of await search(call, request)) await store.softDelete(call, rows.map(({ id }) => id));
      return {};
    },

    async updateNSRecordsIsOnWithDomainNames(request, call) {
      const { isOn } = request;
      const field = () => (name: string) => name === "value" || name === "type" ? "isOn" : name;
      for (const { domain, rows } of await search(call, request)) {
        const changed = rows.filter((row) => (row.isOn === 1n) !== isOn);
        const changes = changed.map((row) => ({
          row,
          isOn,
          draft: { ...row, ...numbersOf(row), routeCodes: routeCodesOf(row) },
        }));
        await records.replace(call, domain, changes, field);
      }
      return {};
    },

    async importNSRecords({ nsRecords, userId }, call) {
      if (nsRecords.length === 0) throw invalid("nsRecords", "must not be empty");
      requireWithinLimit(nsRecords.length);
      const names = nsRecords.map(({ nsDomainName }) => nsDomainName);
      const found = await domains.requireNamed(
        call,
        (index) => `nsRecords[${index}].nsDomainName`,
        ownerOf(call, userId),
        names,
      );
      const byDomain = Map.groupBy(found.keys(), (index) => found[index]!.id);
      for (const indexes of byDomain.values()) {
        const drafts = indexes.map((index) => draftOf(nsRecords[index]!));
        await records.create(
          call,
          found[indexes[0]!]!,
          drafts,
          (index) => (name) => `nsRecords[${indexes[index]}].${name}`,
        );
      }
      return {};
    },
  };
}
