import { type Call, idField, jsonField, listField } from "edgehelm";
import { noneField, referencesField } from "edgehelm/fields";
import type { Reference } from "edgehelm/rows";
import type { HTTPFirewallGroupRef } from "edgehelm/proto/shapes/http_firewall_pb.js";
import type { HTTPFirewallRuleGroups } from "../http_firewall_rule_group/contract.ts";
import {
  type HTTPFirewallInbound,
  HTTPFirewallInboundSchema,
  type HTTPFirewallOutbound,
  HTTPFirewallOutboundSchema,
  type IPListRef,
} from "./proto/shapes_pb.ts";
import type { PolicyRow, PolicyStore } from "./store.ts";

const MAX_GROUPS = 200;

type Inspection = Pick<PolicyRow, "inboundJSON" | "outboundJSON">;

/** Returns the inspection of requests of a policy. */
export function inboundOf({ inboundJSON }: Pick<Inspection, "inboundJSON">): HTTPFirewallInbound {
  return jsonField("inboundJSON", inboundJSON, HTTPFirewallInboundSchema)!;
}

/** Returns the inspection of responses of a policy. */
export function outboundOf({ outboundJSON }: Pick<Inspection, "outboundJSON">): HTTPFirewallOutbound {
  return jsonField("outboundJSON", outboundJSON, HTTPFirewallOutboundSchema)!;
}

/** Returns the ids of the groups of a policy, those for requests first. */
export function groupIdsOf(inspection: Inspection): bigint[] {
  const refs = [...inboundOf(inspection).groupRefs, ...outboundOf(inspection).groupRefs];
  return [...new Set(refs.map(({ groupId }) => groupId))];
}

/**
 * Checks the inspection of requests and responses, and the groups that it refers to; empty bytes are valid.
 *
 * @param userId the owner of the policy
 */
export async function checkInspection(
  call: Call,
  groups: HTTPFirewallRuleGroups,
  { inboundJSON, outboundJSON }: Inspection,
  userId: bigint,
): Promise<void> {
  const inbound = jsonField("inboundJSON", inboundJSON, HTTPFirewallInboundSchema);
  const outbound = jsonField("outboundJSON", outboundJSON, HTTPFirewallOutboundSchema);
  if (inbound !== undefined) checkListRefs("inboundJSON", inbound);
  const references = [
    ...groupReferences("inboundJSON.groupRefs", inbound?.groupRefs ?? []),
    ...groupReferences("outboundJSON.groupRefs", outbound?.groupRefs ?? []),
  ];
  await groups.take(call, references, { userId });
}

function groupReferences(path: string, refs: readonly HTTPFirewallGroupRef[]): Reference[] {
  return referencesField(path, refs, "groupId", { max: MAX_GROUPS }).map(({ field, groupId }) => ({
    field,
    id: groupId,
  }));
}

function checkListRefs(path: string, inbound: HTTPFirewallInbound): void {
  for (const name of ["allowListRef", "denyListRef", "greyListRef"] as const) {
    const ref = inbound[name];
    if (ref !== undefined) checkListRef(`${path}.${name}`, ref);
  }
  for (const name of ["publicAllowListRefs", "publicDenyListRefs", "publicGreyListRefs"] as const) {
    listField(`${path}.${name}`, inbound[name], checkListRef);
  }
}

/** Checks a reference to an IP list; one that is turned off may be empty. */
function checkListRef(path: string, { isOn, listId }: IPListRef): void {
  noneField(`${path}.listId`, isOn ? idField(`${path}.listId`, listId) : listId);
}

/** Stores the links from groups to the policy. */
export async function linkGroups(
  call: Call,
  store: PolicyStore,
  policyId: bigint,
  inspection: Inspection,
): Promise<void> {
  await store.unlink.defer(call, { policyId });
  for (const groupId of groupIdsOf(inspection)) await store.link.defer(call, { groupId, policyId });
}
