import { type Call, invalid, jsonField, listField, referencesField } from "edgehelm";
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

type Sides = Pick<PolicyRow, "inboundJSON" | "outboundJSON">;

/** What requests of a policy go through. */
export function inboundOf({ inboundJSON }: Pick<Sides, "inboundJSON">): HTTPFirewallInbound {
  return jsonField("inboundJSON", inboundJSON, HTTPFirewallInboundSchema)!;
}

/** What answers of a policy go through. */
export function outboundOf({ outboundJSON }: Pick<Sides, "outboundJSON">): HTTPFirewallOutbound {
  return jsonField("outboundJSON", outboundJSON, HTTPFirewallOutboundSchema)!;
}

/** The groups of a policy, requests' first. */
export function groupIdsOf(sides: Sides): bigint[] {
  const refs = [...inboundOf(sides).groupRefs, ...outboundOf(sides).groupRefs];
  return [...new Set(refs.map(({ groupId }) => groupId))];
}

/** Checks what requests and answers are to go through; empty fields are let through. */
export async function checkSides(
  call: Call,
  groups: HTTPFirewallRuleGroups,
  { inboundJSON, outboundJSON }: Sides,
): Promise<void> {
  const inbound = jsonField("inboundJSON", inboundJSON, HTTPFirewallInboundSchema);
  const outbound = jsonField("outboundJSON", outboundJSON, HTTPFirewallOutboundSchema);
  if (inbound !== undefined) checkLists("inboundJSON", inbound);
  const named = [
    ...namedGroups("inboundJSON.groupRefs", inbound?.groupRefs ?? []),
    ...namedGroups("outboundJSON.groupRefs", outbound?.groupRefs ?? []),
  ];
  if (named.length > 0) await groups.requireOwned(call, named);
}

function namedGroups(path: string, refs: readonly HTTPFirewallGroupRef[]): { field: string; groupId: bigint }[] {
  return referencesField(path, refs, "groupId", { max: MAX_GROUPS });
}

function checkLists(path: string, inbound: HTTPFirewallInbound): void {
  for (const name of ["allowListRef", "denyListRef", "greyListRef"] as const) {
    const ref = inbound[name];
    if (ref !== undefined) listRef(`${path}.${name}`, ref);
  }
  for (const name of ["publicAllowListRefs", "publicDenyListRefs", "publicGreyListRefs"] as const) {
    listField(`${path}.${name}`, inbound[name], listRef);
  }
}

/** A reference that is turned off may name no list. */
function listRef(path: string, { isOn, listId }: IPListRef): void {
  if (listId < 0n || (isOn && listId === 0n)) throw invalid(`${path}.listId`, `must be a positive id, got ${listId}`);
}

/** Stores which policies a group is in. */
export async function linkGroups(call: Call, store: PolicyStore, policyId: bigint, sides: Sides): Promise<void> {
  await store.unlink.defer(call, { policyId });
  for (const groupId of groupIdsOf(sides)) await store.link.defer(call, { groupId, policyId });
}
