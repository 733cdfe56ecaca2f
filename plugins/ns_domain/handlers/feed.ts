import { type Handlers, invalid, pageOf } from "edgehelm";
import type { NSNodeFeed } from "../../ns_node/contract.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { NSDomainStore } from "../store.ts";
import { plainMessage } from "../summaries.ts";
import type { Deps } from "./deps.ts";

/** What DNS nodes follow. */
export function feedHandlers({ domains, nodes }: Deps) {
  return {
    async listNSDomainsAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const nsClusterId = await nodes?.followedCluster(call) ?? 0n;
      const after = { nsClusterId, version, size: page.size };
      if (nsClusterId === 0n) return { nsDomains: (await domains.afterVersion.all(call, after)).map(feedMessage) };
      const here = await domains.ofClusterAfterVersion.all(call, after);
      const left = await domains.departedAfterVersion.all(call, after);
      const nsDomains = [...here.map(feedMessage), ...left.map((row) => ({ ...feedMessage(row), isDeleted: true }))];
      return { nsDomains: nsDomains.sort((a, b) => a.version < b.version ? -1 : 1).slice(0, Number(page.size)) };
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

/** Connected nodes are told of changes of domains. */
export function domainFeed(domains: NSDomainStore): NSNodeFeed {
  return {
    type: "nsDomainChanged",
    latestVersion: async (call, nsClusterId) => (await domains.latestOfCluster.one(call, { nsClusterId })).version,
  };
}

function feedMessage(row: Parameters<typeof plainMessage>[0]) {
  return { ...plainMessage(row), nsCluster: { id: row.nsClusterId } };
}
