import { readJson } from "../../../../parts/json_bytes.ts";
import { callPath } from "../../../../shell/call.ts";

/** An id, as JSON has it. */
export type Id = number | string;

/** A comparison of a part of a request or a response. What its form does not know stays in it. */
export interface Rule {
  readonly id?: Id;
  readonly isOn?: boolean;
  readonly param?: string;
  readonly paramFilters?: readonly { readonly code: string }[];
  readonly operator?: string;
  readonly value?: string;
  readonly isCaseInsensitive?: boolean;
  readonly isComposed?: boolean;
  readonly checkpointOptions?: Readonly<Record<string, unknown>>;
  readonly description?: string;
}

/** Something that is done with requests that match. */
export interface Action {
  readonly code: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Rules, and what is done with requests that match them. */
export interface RuleSet {
  readonly id?: Id;
  readonly isOn?: boolean;
  readonly name?: string;
  readonly code?: string;
  readonly description?: string;
  readonly connector?: string;
  readonly rules?: readonly Rule[];
  readonly ignoreLocal?: boolean;
  readonly actions?: readonly Action[];
}

/** The place of a set in a group. */
export interface SetRef {
  readonly isOn?: boolean;
  readonly setId: Id;
}

/** Sets of rules. */
export interface Group {
  readonly id: Id;
  readonly isOn?: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly code?: string;
  readonly setRefs?: readonly SetRef[];
  readonly sets?: readonly RuleSet[];
}

/** The place of a group in a policy. */
export interface GroupRef {
  readonly isOn?: boolean;
  readonly groupId: Id;
}

/** The inspection of requests or of responses. What the page does not show stays in it. */
export interface Inspection {
  readonly isOn?: boolean;
  readonly groupRefs?: readonly GroupRef[];
  readonly groups?: readonly Group[];
}

export const SIDES = ["inbound", "outbound"] as const;
export type Side = (typeof SIDES)[number];

/** The inspections of a policy. */
export type Policy = Readonly<Record<Side, Inspection>>;

/** Loads what a policy inspects, with its groups, sets and rules. */
export async function loadPolicy(httpFirewallPolicyId: bigint, signal?: AbortSignal): Promise<Policy> {
  const path = "HTTPFirewallPolicyService/findEnabledHTTPFirewallPolicyConfig";
  const found = readJson<Partial<Policy>>(
    (await callPath(path, { httpFirewallPolicyId }, signal))["httpFirewallPolicyJSON"],
  );
  return { inbound: found?.inbound ?? {}, outbound: found?.outbound ?? {} };
}

/** A group of a policy, and its place. */
export interface PlacedGroup {
  readonly group: Group;
  readonly isOn: boolean;
}

/** Returns the groups in their order; those that do not exist are left out. */
export function groupsOf({ groupRefs = [], groups = [] }: Inspection): readonly PlacedGroup[] {
  return groupRefs.flatMap(({ groupId, isOn }) => {
    const group = groups.find(({ id }) => isSame(id, groupId));
    return group === undefined ? [] : [{ group, isOn: isOn === true && group.isOn === true }];
  });
}

/** A set of a group, and its place. */
export interface PlacedSet {
  readonly set: RuleSet;
  readonly isOn: boolean;
}

/** Returns the sets in their order; those that do not exist are left out. */
export function setsOf({ setRefs = [], sets = [] }: Group): readonly PlacedSet[] {
  return setRefs.flatMap(({ setId, isOn }) => {
    const set = sets.find(({ id = 0 }) => isSame(id, setId));
    return set === undefined ? [] : [{ set, isOn: isOn === true && set.isOn === true }];
  });
}

/** Returns all groups of a policy. */
export function allGroups({ inbound, outbound }: Policy): readonly Group[] {
  return [...groupsOf(inbound), ...groupsOf(outbound)].map(({ group }) => group);
}

export function isSame(one: Id, other: Id): boolean {
  return String(one) === String(other);
}
