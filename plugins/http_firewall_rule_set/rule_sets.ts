import { type Call, invalid, jsonBytes, jsonField, mayAccessOwner, ownerOf } from "edgehelm";
import type { Reference, Taker } from "edgehelm/rows";
import { jsonListBytes, jsonListField } from "edgehelm/wire";
import {
  HTTPFirewallActionSchema,
  type HTTPFirewallRule,
  HTTPFirewallRuleSchema,
} from "edgehelm/proto/shapes/http_firewall_pb.js";
import type { HTTPFirewallRuleSetListener, HTTPFirewallRuleSets, RuleSetConfig } from "./contract.ts";
import { ruleSetField } from "./rules.ts";
import { ruleWithoutSecrets, withoutSecretOptions } from "./secrets.ts";
import type { RuleRow, RuleSetRow, RuleSetStore } from "./store.ts";

/** Manages sets with their rules, and notifies the groups that contain them. */
export class RuleSets implements HTTPFirewallRuleSets {
  readonly #store: RuleSetStore;
  readonly #listeners: readonly HTTPFirewallRuleSetListener[];

  constructor(store: RuleSetStore, listeners: readonly HTTPFirewallRuleSetListener[]) {
    this.#store = store;
    this.#listeners = listeners;
  }

  async configs(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, RuleSetConfig>> {
    const rows = await this.#store.byIds.all(call, { ids: [...ids] });
    const rules = Map.groupBy(
      await this.#store.rulesOf.all(call, { setIds: rows.map(({ id }) => id) }),
      ({ setId }) => setId,
    );
    return new Map(rows.map((row) => [row.id, setConfig(call, row, rules.get(row.id) ?? [])]));
  }

  async take(call: Call, references: readonly Reference[], taker: Taker): Promise<void> {
    await this.#store.take(call, references, taker);
  }

  async save(call: Call, field: string, json: Uint8Array): Promise<bigint> {
    const { id, isOn, name, code, description, connector, ignoreLocal, actions, rules } = ruleSetField(field, json);
    const actionsJSON = jsonListBytes(HTTPFirewallActionSchema, actions);
    const fields = { isOn, name, code, description, connector, ignoreLocal, actionsJSON };
    if (id === 0n) {
      const created = await this.#store.insert.one(call, { userId: ownerOf(call, 0n), ...fields });
      await this.#saveRules(call, `${field}.rules`, created.id, rules);
      return created.id;
    }
    await this.#store.require(call, `${field}.id`, id);
    await this.#store.update.run(call, { id, ...fields });
    await this.#saveRules(call, `${field}.rules`, id, rules);
    await this.changed(call, id);
    return id;
  }

  /** Soft deletes sets, and deletes their rules. */
  async remove(call: Call, ids: bigint[]): Promise<void> {
    await this.#store.removeAll.run(call, { ids });
    await this.#store.removeRulesOf.run(call, { setIds: ids });
  }

  /** Notifies the listeners that a set changed. */
  async changed(call: Call, id: bigint): Promise<void> {
    for (const listener of this.#listeners) await listener.changed(call, [id]);
  }

  /** Saves the rules of a set: those with an id keep it, since access logs refer to it; those left out are deleted. */
  async #saveRules(call: Call, path: string, setId: bigint, rules: readonly HTTPFirewallRule[]): Promise<void> {
    const current = new Set((await this.#store.rulesOf.all(call, { setIds: [setId] })).map(({ id }) => id));
    const keptIds = rules.map(({ id }) => id).filter((id) => id !== 0n);
    for (const [position, { id }] of rules.entries()) {
      if (id === 0n) continue;
      if (!current.delete(id)) {
        const problem = keptIds.indexOf(id) === keptIds.lastIndexOf(id)
          ? "does not exist in the set"
          : "is listed twice";
        throw invalid(`${path}[${position}].id`, `rule ${id} ${problem}`);
      }
    }
    await this.#store.removeRulesExcept.defer(call, { setId, keptIds });
    for (const [position, rule] of rules.entries()) {
      const ruleJSON = jsonBytes(HTTPFirewallRuleSchema, { ...rule, id: 0n });
      if (rule.id === 0n) await this.#store.insertRule.defer(call, { setId, position, ruleJSON });
      else await this.#store.updateRule.defer(call, { id: rule.id, position, ruleJSON });
    }
  }
}

function setConfig(call: Call, row: RuleSetRow, ruleRows: readonly RuleRow[]): RuleSetConfig {
  const { id, name, code, description, connector, actionsJSON } = row;
  const showsSecrets = mayAccessOwner(call.caller, row.userId);
  const actions = jsonListField("actionsJSON", actionsJSON, HTTPFirewallActionSchema) ?? [];
  const rules = ruleRows.map((rule) => ({
    ...jsonField("ruleJSON", rule.ruleJSON, HTTPFirewallRuleSchema)!,
    id: rule.id,
  }));
  return {
    id,
    isOn: row.isOn === 1n,
    name,
    code,
    description,
    connector,
    ruleRefs: ruleRows.map((rule) => ({ isOn: true, ruleId: rule.id })),
    rules: showsSecrets ? rules : rules.map(ruleWithoutSecrets),
    ignoreLocal: row.ignoreLocal === 1n,
    actions: showsSecrets ? actions : actions.map(withoutSecretOptions),
  };
}
