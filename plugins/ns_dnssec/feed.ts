import { type Call, distinct, type Handlers, invalid, pageOf } from "edgehelm";
import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSNodes } from "../ns_node/contract.ts";
import type { PrivateKeys } from "./keys.ts";
import type { NSDNSSECService } from "./proto/service_ns_dnssec_pb.ts";
import type { DNSSECStore, KeyRow, ZoneRow } from "./store.ts";

export interface FeedDeps {
  readonly store: DNSSECStore;
  readonly keys: PrivateKeys;
  readonly domains: NSDomains;
  readonly nodes: NSNodes;
}

const MAX_DOMAINS = 100;
const PAGE = { defaultSize: 1000n, maxSize: 1000n };

/** Implements the operations of nodes. */
export function feedHandlers({ store, keys, domains, nodes }: FeedDeps) {
  /** Returns key sets as the nodes of a cluster may have them. */
  async function keySets(call: Call, nsClusterId: bigint, zones: readonly ZoneRow[]) {
    const served = await domains.served(call, distinct(zones.map(({ nsDomainId }) => nsDomainId)));
    const isSigned = ({ state, nsDomainId }: ZoneRow) =>
      state === 1n && served.get(nsDomainId)?.nsClusterId === nsClusterId;
    const zoneIds = zones.filter(isSigned).map(({ id }) => id);
    const rows = zoneIds.length === 0 ? [] : await store.keysOf.all(call, { zoneIds });
    const byZone = Map.groupBy(rows, ({ zoneId }) => zoneId);
    return await Promise.all(zones.map(async (zone) => ({
      nsDomainId: zone.nsDomainId,
      isDeleted: !isSigned(zone),
      version: zone.version,
      keys: await Promise.all((byZone.get(zone.id) ?? []).map(privateKey)),
    })));
  }

  async function privateKey(row: KeyRow) {
    const { role, algorithm, keyTag, publishAt, activeAt, retireAt, removeAt } = row;
    const times = { publishAt, activeAt, retireAt, removeAt };
    return { role, algorithm: Number(algorithm), keyTag: Number(keyTag), privateKey: await keys.open(row), ...times };
  }

  return {
    async listNSDNSSECKeysAfterVersion({ version, size }, call) {
      if (version < 0n) throw invalid("version", `must not be negative, got ${version}`);
      const page = pageOf({ size }, PAGE);
      const nsClusterId = await nodes.followedCluster(call);
      const zones = await store.feed.after(call, { scope: nsClusterId, version, size: page.size });
      return { nsDNSSECKeySets: await keySets(call, nsClusterId, zones) };
    },

    async listNSDNSSECKeysOfDomains({ nsDomainIds }, call) {
      if (nsDomainIds.length === 0) throw invalid("nsDomainIds", "must not be empty");
      if (nsDomainIds.length > MAX_DOMAINS) throw invalid("nsDomainIds", `must have at most ${MAX_DOMAINS} items`);
      const nsClusterId = await nodes.followedCluster(call);
      const zones = await store.ofDomains.all(call, { nsDomainIds: distinct(nsDomainIds) });
      const sets = await keySets(call, nsClusterId, zones);
      return { nsDNSSECKeySets: sets.filter(({ isDeleted }) => !isDeleted) };
    },
  } satisfies Partial<Handlers<typeof NSDNSSECService>>;
}
