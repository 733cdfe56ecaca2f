import { type Call, mayAccessOwner } from "edgehelm";
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

/** Returns the message of a user; only admins see the remark. */
export function userMessage(call: Call, row: UserRow, known: readonly UserFeatureDefinition[]) {
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
    ...(row.nodeClusterId > 0n && { nodeCluster: { id: row.nodeClusterId } }),
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
