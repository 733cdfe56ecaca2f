import { requireUnchanged } from "../../../../parts/forms/unchanged.ts";
import { writeJson } from "../../../../parts/json_bytes.ts";
import { callPath } from "../../../../shell/call.ts";
import type { TakeBack } from "../common/changes.tsx";
import { texts as common } from "../common/texts.ts";
import {
  allGroups,
  type Group,
  type GroupRef,
  type Id,
  type Inspection,
  isSame,
  loadPolicy,
  type RuleSet,
  type SetRef,
  type Side,
} from "./policy.ts";

export const UPDATE_GROUPS = "HTTPFirewallPolicyService/updateHTTPFirewallPolicyGroups";
export const CREATE_GROUP = "HTTPFirewallRuleGroupService/createHTTPFirewallRuleGroup";
export const UPDATE_GROUP = "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroup";
export const UPDATE_SETS = "HTTPFirewallRuleGroupService/updateHTTPFirewallRuleGroupSets";
export const ADD_SET = "HTTPFirewallRuleGroupService/addHTTPFirewallRuleGroupSet";
export const SAVE_SET = "HTTPFirewallRuleSetService/createOrUpdateHTTPFirewallRuleSetFromConfig";

/** The names of a group. */
export interface GroupFields {
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** Changes of a policy, each of which is refused if what it changes was changed elsewhere. */
export class PolicyChanges {
  readonly #policyId: bigint;

  constructor(policyId: bigint) {
    this.#policyId = policyId;
  }

  /** Replaces the groups and the state of an inspection; `seen` is what the reader saw. */
  async saveInspection(side: Side, seen: Inspection, next: Inspection): Promise<TakeBack> {
    await this.#requireInspection(side, seen);
    await this.#writeInspection(side, next);
    const saved = (await loadPolicy(this.#policyId))[side];
    return () => this.saveInspection(side, saved, seen);
  }

  /** Creates a group at the end of an inspection. */
  async addGroup(side: Side, seen: Inspection, fields: GroupFields): Promise<void> {
    await this.#requireInspection(side, seen);
    const { firewallRuleGroupId } = await callPath(CREATE_GROUP, { isOn: true, ...fields });
    const added: GroupRef = { isOn: true, groupId: Number(firewallRuleGroupId) };
    await this.#writeInspection(side, { ...seen, groupRefs: [...seen.groupRefs ?? [], added] });
  }

  /** Changes what a group is called, or turns it on or off. */
  async saveGroup(seen: Group, next: Group): Promise<TakeBack> {
    await this.#requireGroup(seen);
    const { id, isOn = false, name = "", description = "", code = "" } = next;
    await callPath(UPDATE_GROUP, { firewallRuleGroupId: BigInt(id), isOn, name, description, code });
    const saved = (await this.#group(id))!;
    return () => this.saveGroup(saved, seen);
  }

  /** Replaces the sets of a group, and their order. */
  async saveSets(seen: Group, setRefs: readonly SetRef[]): Promise<TakeBack> {
    await this.#requireGroup(seen);
    await callPath(UPDATE_SETS, { firewallRuleGroupId: BigInt(seen.id), firewallRuleSetsJSON: writeJson(setRefs) });
    const saved = (await this.#group(seen.id))!;
    return () => this.saveSets(saved, seen.setRefs ?? []);
  }

  /** Adds a set to a group. */
  async addSet(seen: Group, set: RuleSet): Promise<void> {
    await this.#requireGroup(seen);
    await callPath(ADD_SET, { firewallRuleGroupId: BigInt(seen.id), firewallRuleSetConfigJSON: writeJson(set) });
  }

  /** Replaces a set with its rules. Rules that were deleted meanwhile get new ids. */
  async saveSet(seen: RuleSet, next: RuleSet): Promise<TakeBack> {
    const current = await requireSame(seen, () => this.#set(seen.id!));
    const known = (current?.rules ?? []).map(({ id = 0 }) => id);
    const rules = (next.rules ?? []).map((rule) =>
      known.some((id) => isSame(id, rule.id ?? 0)) ? rule : { ...rule, id: 0 }
    );
    await callPath(SAVE_SET, { firewallRuleSetConfigJSON: writeJson({ ...next, rules }) });
    const saved = (await this.#set(seen.id!))!;
    return () => this.saveSet(saved, seen);
  }

  async #writeInspection(side: Side, { groups: _, ...inspection }: Inspection): Promise<void> {
    await callPath(UPDATE_GROUPS, { httpFirewallPolicyId: this.#policyId, [`${side}JSON`]: writeJson(inspection) });
  }

  async #requireInspection(side: Side, seen: Inspection): Promise<void> {
    await requireSame(withoutGroups(seen), async () => withoutGroups((await loadPolicy(this.#policyId))[side]));
  }

  async #requireGroup(seen: Group): Promise<void> {
    await requireSame(withoutSets(seen), async () => {
      const group = await this.#group(seen.id);
      return group && withoutSets(group);
    });
  }

  async #group(id: Id): Promise<Group | undefined> {
    return allGroups(await loadPolicy(this.#policyId)).find((group) => isSame(group.id, id));
  }

  async #set(id: Id): Promise<RuleSet | undefined> {
    const groups = allGroups(await loadPolicy(this.#policyId));
    return groups.flatMap(({ sets = [] }) => sets).find((set) => isSame(set.id ?? 0, id));
  }
}

/** Returns what it is now, if that is what the reader saw. */
async function requireSame<Value>(seen: Value, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
  await requireUnchanged<Value | undefined>(seen, load, common.value.changedElsewhere);
  return seen;
}

function withoutGroups({ groups: _, ...inspection }: Inspection): Inspection {
  return inspection;
}

function withoutSets({ sets: _, ...group }: Group): Group {
  return group;
}
