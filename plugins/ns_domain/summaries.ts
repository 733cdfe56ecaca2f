import { type Call, distinct, optional } from "edgehelm";
import { NSClusters } from "../ns_cluster/contract.ts";
import { NSDomainGroups } from "../ns_domain_group/contract.ts";
import { Users } from "../user/contract.ts";
import { UserQuotas } from "../user_quota/contract.ts";
import type { NSDomainRow } from "./store_tables.ts";

/** The requirements of {@link RelatedContracts}. */
export const RELATED = {
  clusters: NSClusters,
  groups: optional(NSDomainGroups),
  users: optional(Users),
  quotas: optional(UserQuotas),
} as const;

/** The contracts of the plugins whose objects domains refer to. */
export interface RelatedContracts {
  readonly clusters: NSClusters;
  readonly groups: NSDomainGroups | undefined;
  readonly users: Users | undefined;
  readonly quotas: UserQuotas | undefined;
}

/** Returns domains with cluster, owner and groups, except those whose cluster or owner was deleted. */
export async function domainMessages(call: Call, { clusters, users, groups }: RelatedContracts, rows: NSDomainRow[]) {
  const userIds = distinct(rows.map((row) => row.userId)).filter((id) => id !== 0n);
  const groupIds = distinct(rows.flatMap(groupIdsOf));
  const [clusterOf, userOf, groupOf] = await Promise.all([
    clusters.nested(call, distinct(rows.map((row) => row.nsClusterId))),
    userIds.length === 0 ? undefined : users?.nested(call, userIds),
    groupIds.length === 0 ? undefined : groups?.summaries(call, groupIds),
  ]);
  return rows.flatMap((row) => {
    const cluster = clusterOf.get(row.nsClusterId);
    const user = userOf?.get(row.userId);
    if (cluster === undefined || (userOf !== undefined && user === undefined && row.userId !== 0n)) return [];
    return [{
      ...baseMessage(row),
      nsCluster: cluster,
      ...(user && { user }),
      nsDomainGroups: groupIdsOf(row).flatMap((id) => groupOf?.get(id) ?? [])
        .map(({ id, name, isOn, userId }) => ({ id, name, isOn, userId })),
    }];
  });
}

/** Returns a domain without cluster, owner and groups; it may be deleted. */
export function baseMessage(row: NSDomainRow) {
  return {
    id: row.id,
    name: row.name,
    isOn: row.isOn === 1n,
    createdAt: row.createdAt,
    isDeleted: row.state === 0n,
    version: row.version,
    tsigJSON: row.tsigJSON ?? new Uint8Array(),
    nsDomainGroupIds: groupIdsOf(row),
    status: row.status,
    userId: row.userId,
    recordsHealthCheckJSON: row.recordsHealthCheckJSON ?? new Uint8Array(),
  };
}

function groupIdsOf({ groupIds }: NSDomainRow): bigint[] {
  return (JSON.parse(groupIds) as number[]).map(BigInt);
}
