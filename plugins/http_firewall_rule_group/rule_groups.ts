import { type Call, jsonBytes } from "edgehelm";
import type { Reference, Taker } from "edgehelm/rows";
import { jsonListBytes, jsonListField } from "edgehelm/wire";
import { HTTPFirewallSetConfigSchema, HTTPFirewallSetRefSchema } from "edgehelm/proto/shapes/http_firewall_pb.js";
import type { HTTPFirewallRuleSets, RuleSetConfig } from "../http_firewall_rule_set/contract.ts";
import type {
  BuiltInGroup,
  HTTPFirewallRuleGroupListener,
  HTTPFirewallRuleGroups,
  RuleGroupConfig,
} from "./contract.ts";
import type { RuleGroupRow, RuleGroupStore } from "./store.ts";

/** Manages groups with their sets, and notifies the policies that use them. */
export class RuleGroups implements HTTPFirewallRuleGroups {
  readonly #store: RuleGroupStore;
  readonly #sets: HTTPFirewallRuleSets;
  readonly #listeners: readonly HTTPFirewallRuleGroupListener[];

  constructor(
    store: RuleGroupStore,
    sets: HTTPFirewallRuleSets,
    listeners: readonly HTTPFirewallRuleGroupListener[],
  ) {
    this.#store = store;
    this.#sets = sets;
    this.#listeners = listeners;
  }

  async configs(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleGroupConfig>> {
    const rows = await this.#store.byIds.all(call, { ids: [...ids] });
    const setIds = new Set(rows.flatMap((row) => setRefs(row).map(({ setId }) => setId)));
    const sets = await this.#sets.configs(call, [...setIds]);
    return new Map(rows.map((row) => [row.id, groupConfig(row, sets)]));
  }

  async take(call: Call, references: readonly Reference[], taker: Taker): Promise<void> {
    await this.#store.take(call, references, taker);
  }

  async createBuiltIn(call: Call, { sets, ...fields }: BuiltInGroup, taker: Taker): Promise<bigint> {
    const setIds: bigint[] = [];
    for (const [index, set] of sets.entries()) {
      const json = jsonBytes(HTTPFirewallSetConfigSchema, set);
      setIds.push(await this.#sets.save(call, `sets[${index}]`, json));
    }
    const setRefsJSON = jsonListBytes(HTTPFirewallSetRefSchema, setIds.map((setId) => ({ isOn: true, setId })));
    await this.#sets.take(call, setIds.map((id, index) => ({ field: `sets[${index}]`, id })), taker);
    const group = { ...fields, userId: taker.userId, setRefsJSON, isTemplate: true };
    const { id } = await this.#store.insert.one(call, group);
    for (const setId of setIds) await this.#store.link.defer(call, { setId, groupId: id });
    return id;
  }

  async switchBuiltIn(call: Call, groupIds: readonly bigint[], codesOn: readonly string[]): Promise<void> {
    for (const { id, code, isTemplate } of await this.#store.byIds.all(call, { ids: [...groupIds] })) {
      if (isTemplate === 1n) await this.#store.setIsOn.defer(call, { id, isOn: codesOn.includes(code) });
    }
  }

  /** Soft deletes groups, but not their sets. */
  async remove(call: Call, ids: bigint[]): Promise<void> {
    await this.#store.removeAll.run(call, { ids });
    await this.#store.unlink.run(call, { groupIds: ids });
  }

  /** Replaces the sets of a group. */
  async replaceSets(call: Call, groupId: bigint, setRefsJSON: Uint8Array): Promise<void> {
    await this.#store.setRefs.defer(call, { id: groupId, setRefsJSON });
    await this.#store.unlink.defer(call, { groupIds: [groupId] });
    for (const { setId } of setRefs({ setRefsJSON })) await this.#store.link.defer(call, { setId, groupId });
    await this.changed(call, [groupId]);
  }

  /** Notifies the listeners that groups changed. */
  async changed(call: Call, ids: readonly bigint[]): Promise<void> {
    if (ids.length === 0) return;
    for (const listener of this.#listeners) await listener.changed(call, ids);
  }

  /** Notifies the listeners that groups changed because their sets did. */
  async setsChanged(call: Call, setIds: readonly bigint[]): Promise<void> {
    const rows = await this.#store.withSets.all(call, { setIds: [...setIds] });
    await this.changed(call, rows.map(({ groupId }) => groupId));
  }
}

/** Returns the references of a group to its sets. */
export function setRefs({ setRefsJSON }: Pick<RuleGroupRow, "setRefsJSON">) {
  return jsonListField("setRefsJSON", setRefsJSON, HTTPFirewallSetRefSchema) ?? [];
}

function groupConfig(row: RuleGroupRow, sets: ReadonlyMap<bigint, RuleSetConfig>): RuleGroupConfig {
  const { id, name, description, code } = row;
  const refs = setRefs(row);
  return {
    id,
    isOn: row.isOn === 1n,
    name,
    description,
    code,
    setRefs: refs,
    sets: refs.flatMap(({ setId }) => sets.get(setId) ?? []),
    isTemplate: row.isTemplate === 1n,
  };
}
