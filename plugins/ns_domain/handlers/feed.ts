import { type Handlers, invalid, pageOf } from "edgehelm";
import type { NSNodeFeed } from "../../ns_node/contract.ts";
import type { NSDomainService } from "../proto/service_ns_domain_pb.ts";
import type { NSDomainStore } from "../store.ts";
import { baseMessage } from "../summaries.ts";
import type { Deps } from "./deps.ts";

/** Implements the operation from which DNS nodes fetch changes. */
export function feedHandlers({ domains, nodes }: Deps) {
  return {
    async listNSDomainsAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, { defaultSize: 2000n, maxSize: 10_000n });
      const nsClusterId = await nodes?.followedCluster(call) ?? 0n;
      const after = { nsClusterId, version, size: page.size };
      if (nsClusterId === 0n) return { nsDomains: (await domains.afterVersion.all(call, after)).map(feedMessage) };
      const current = await domains.ofClusterAfterVersion.all(call, after);
      const departed = await domains.departedAfterVersion.all(call, after);
      const departedMessages = departed.map((row) => ({ ...feedMessage(row), isDeleted: true }));
      const nsDomains = [...current.map(feedMessage), ...departedMessages];
      return { nsDomains: nsDomains.sort((a, b) => a.version < b.version ? -1 : 1).slice(0, Number(page.size)) };
    },
  } satisfies Partial<Handlers<typeof NSDomainService>>;
}

/** Notifies connected nodes of changes of domains. */
export function domainFeed(domains: NSDomainStore): NSNodeFeed {
  return {
    type: "nsDomainChanged",
    latestVersion: async (call, nsClusterId) => (await domains.latestOfCluster.one(call, { nsClusterId })).version,
  };
}

function feedMessage(row: Parameters<typeof baseMessage>[0]) {
  return { ...baseMessage(row), nsCluster: { id: row.nsClusterId } };
}
