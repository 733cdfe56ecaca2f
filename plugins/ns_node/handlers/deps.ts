import { type Call, type Clock, type Handlers, unixSeconds } from "edgehelm";
import type { AccessTokens, SealedSecrets } from "edgehelm/auth";
import { connectedIds, type NodeLinks } from "../../node_base/contract.ts";
import type { NodeGrants } from "../../node_grant/contract.ts";
import type { NodeIPAddresses } from "../../node_ip_address/contract.ts";
import type { NodeLogs } from "../../node_log/contract.ts";
import type { NSClusters } from "../../ns_cluster/contract.ts";
import { type ProgramInstaller, statusWithout } from "../../node_installation/contract.ts";
import type { Presence } from "../presence.ts";
import { isActive } from "../rules.ts";
import type { NSNodeService } from "../proto/service_ns_node_pb.ts";
import type { NSNodeLists } from "../store_lists.ts";
import type { NSNodeRow, NSNodeStore } from "../store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly nodes: NSNodeStore;
  readonly lists: NSNodeLists;
  readonly clusters: NSClusters;
  readonly grants: NodeGrants | undefined;
  readonly addresses: NodeIPAddresses | undefined;
  readonly logs: NodeLogs | undefined;
  readonly secrets: SealedSecrets;
  readonly tokens: AccessTokens;
  readonly links: NodeLinks;
  readonly presence: Presence;
  /** Undefined in installations that do not install programs. */
  readonly installer: ProgramInstaller | undefined;
  readonly clock: Clock;
}

export type Operations = Handlers<typeof NSNodeService>;

/** Returns nodes with their clusters as operations return them. */
export async function nodeMessages(
  { clusters, secrets, installer, clock }: Deps,
  call: Call,
  rows: readonly NSNodeRow[],
) {
  const clusterOf = await clusters.nested(call, [...new Set(rows.map((row) => row.nsClusterId))]);
  const statuses = await installer?.statuses(call, rows.map(({ id }) => id));
  const now = unixSeconds(clock);
  return await Promise.all(rows.map(async (row) => {
    const cluster = clusterOf.get(row.nsClusterId);
    return {
      id: row.id,
      name: row.name,
      isOn: row.isOn === 1n,
      uniqueId: row.uniqueId,
      secret: await secrets.open(row.uniqueId, row.secret),
      statusJSON: row.statusJSON ?? new Uint8Array(),
      isInstalled: row.isInstalled === 1n,
      isUp: row.isUp === 1n,
      installDir: row.installDir,
      isActive: isActive(row, now),
      connectedAPINodeIds: connectedIds(row.connectedAPINodeIds),
      apiNodeAddrsJSON: row.apiNodeAddrsJSON ?? new Uint8Array(),
      ...(cluster && { nsCluster: cluster }),
      installStatus: statuses?.get(row.id) ?? statusWithout(row.isInstalled === 1n),
    };
  }));
}
