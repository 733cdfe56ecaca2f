import { type Call, choiceField, type Handlers, ownerOf, pageOf } from "edgehelm";
import { MAX_LIST_LENGTH } from "edgehelm/fields";
import { actsForInstallation, ownedDomain } from "../ownership.ts";
import { domainName, domainNames, STATUSES } from "../rules.ts";
import type { CountAllNSDomainsRequest, ListNSDomainsRequest, NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { NSDomainRow } from "../store_tables.ts";
import { domainMessages } from "../summaries.ts";
import type { Deps } from "./deps.ts";

/** Implements the operations that find, list and count domains. */
export function listHandlers({ domains, list, related }: Deps) {
  async function domainResponse(call: Call, rows: NSDomainRow[]) {
    const [nsDomain] = await domainMessages(call, related, rows);
    return nsDomain === undefined ? {} : { nsDomain };
  }

  return {
    async findNSDomain({ nsDomainId }, call) {
      const row = await ownedDomain(domains, call, nsDomainId);
      return await domainResponse(call, row === undefined ? [] : [row]);
    },

    async findNSDomainWithName(request, call) {
      const name = domainName("name", request.name);
      const userId = ownerOf(call, request.userId);
      if (userId !== 0n || !actsForInstallation(call)) {
        return await domainResponse(call, await domains.byOwnerAndName.all(call, { name, userId }));
      }
      const verified = await domains.verifiedByName.first(call, { name });
      const response = verified === undefined ? {} : await domainResponse(call, [verified]);
      return "nsDomain" in response ? response : await domainResponse(call, await domains.byName.all(call, { name }));
    },

    async findVerifiedNSDomainOnCluster({ nsClusterId, name }, call) {
      return await domainResponse(
        call,
        await domains.verifiedOnCluster.all(call, { nsClusterId, name: domainName("name", name) }),
      );
    },

    async countAllNSDomains(request, call) {
      const status = request.status === "" ? "" : choiceField("status", request.status, STATUSES);
      return { count: await list.count(call, filterOf(call, request, status)) };
    },

    async listNSDomains(request, call) {
      const page = pageOf(request);
      const rows = await list.page(call, filterOf(call, request, ""), page);
      return { nsDomains: await domainMessages(call, related, rows) };
    },

    async existNSDomains(request, call) {
      const names = domainNames("names", request.names, MAX_LIST_LENGTH);
      const found = await domains.ofOwner.all(call, { userId: ownerOf(call, request.userId), names });
      return { existingNames: existing(names, found) };
    },

    async existVerifiedNSDomains(request, call) {
      const names = domainNames("names", request.names, MAX_LIST_LENGTH);
      return { existingNames: existing(names, await domains.verifiedNames.all(call, { names })) };
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

function existing(names: readonly string[], found: readonly { readonly name: string }[]): string[] {
  const foundNames = new Set(found.map(({ name }) => name));
  return names.filter((name) => foundNames.has(name));
}

function filterOf(call: Call, request: CountAllNSDomainsRequest | ListNSDomainsRequest, status: string) {
  const keyword = request.keyword.trim().toLowerCase();
  const { nsClusterId, nsDomainGroupId } = request;
  return { userId: ownerOf(call, request.userId), nsClusterId, nsDomainGroupId, keyword, status };
}
