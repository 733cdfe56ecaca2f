import { type Call, distinct, mayAccessOwner } from "edgehelm";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { UserFeatureDefinition } from "./contract.ts";
import type { UserRow } from "./store.ts";

/** Returns the features of a user in the order of their definitions. */
export function featuresOf(
  { featureCodes }: UserRow,
  known: readonly UserFeatureDefinition[],
): UserFeatureDefinition[] {
  const codes: readonly string[] = JSON.parse(featureCodes);
  return known.filter(({ code }) => codes.includes(code));
}

/** Returns the message of a user without the cluster; only admins see the remark. */
export function plainUser(call: Call, row: UserRow, known: readonly UserFeatureDefinition[]) {
  return {
    id: row.id,
    username: row.username,
    fullname: row.fullname,
    mobile: row.mobile,
    tel: row.tel,
    email: row.email,
    remark: mayAccessOwner(call.caller, 0n) ? row.remark : "",
    isOn: row.isOn === 1n,
    createdAt: row.createdAt,
    features: featuresOf(row, known),
    registeredIP: row.registeredIP,
    isVerified: row.isVerified === 1n,
    isRejected: row.isRejected === 1n,
    rejectReason: row.rejectReason,
    verifiedEmail: row.verifiedEmail,
    verifiedMobile: row.verifiedMobile,
    bandwidthAlgo: row.bandwidthAlgo,
  };
}

/** Returns messages of users with their clusters. */
export async function userMessages(
  call: Call,
  clusters: NodeClusters | undefined,
  rows: readonly UserRow[],
  known: readonly UserFeatureDefinition[],
) {
  const clusterIds = distinct(rows.map(({ nodeClusterId }) => nodeClusterId)).filter((id) => id > 0n);
  const clusterOf = clusterIds.length === 0 ? undefined : await clusters?.nested(call, clusterIds);
  return rows.map((row) => {
    const nodeCluster = clusterOf?.get(row.nodeClusterId);
    return { ...plainUser(call, row, known), ...(nodeCluster && { nodeCluster }) };
  });
}
