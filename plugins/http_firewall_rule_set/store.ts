import { anyOf, type Db, type Flag, ownedRows } from "edgehelm";
import type { LiveTable, Referrer } from "edgehelm/rows";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  httpFirewallRuleSets: LiveTable<{
    /** The owner; 0 for sets of the installation. */
    userId: bigint;
    isOn: Flag;
    name: string;
    code: string;
    description: string;
    connector: string;
    ignoreLocal: Flag;
    /** A JSON array. */
    actionsJSON: Uint8Array;
  }>;
  httpFirewallRules: { id: Generated<bigint>; setId: bigint; position: bigint | number; ruleJSON: Uint8Array };
}

export type RuleSetRow = Selectable<Tables["httpFirewallRuleSets"]>;
export type RuleRow = Selectable<Tables["httpFirewallRules"]>;

const SETTINGS = [
  "isOn",
  "name",
  "code",
  "description",
  "connector",
  "ignoreLocal",
  "actionsJSON",
] as const;

/** Defines all SQL statements of this plugin. */
export function ruleSetStore(db: Db<Tables>, referrers: readonly Referrer[]) {
  return {
    ...ownedRows(db, "httpFirewallRuleSets", errors.not_found, { referrers }),
    insert: db.insert("httpFirewallRuleSets", [...SETTINGS, "userId"]),
    update: db.update("httpFirewallRuleSets", SETTINGS),
    setIsOn: db.update("httpFirewallRuleSets", ["isOn"]),
    rulesOf: db.query((q, p: { setIds: bigint[] }) =>
      q.selectFrom("httpFirewallRules").selectAll().where("setId", "in", anyOf(p.setIds))
        .orderBy("setId").orderBy("position")
    ),
    insertRule: db.query((q, p: { setId: bigint; position: number; ruleJSON: Uint8Array }) =>
      q.insertInto("httpFirewallRules").values({ setId: p.setId, position: p.position, ruleJSON: p.ruleJSON })
    ),
    updateRule: db.update("httpFirewallRules", ["position", "ruleJSON"]),
    removeRulesExcept: db.query((q, p: { setId: bigint; keptIds: bigint[] }) =>
      q.deleteFrom("httpFirewallRules").where("setId", "=", p.setId).where("id", "not in", anyOf(p.keptIds))
    ),
    removeRulesOf: db.query((q, p: { setIds: bigint[] }) =>
      q.deleteFrom("httpFirewallRules").where("setId", "in", anyOf(p.setIds))
    ),
  };
}

export type RuleSetStore = ReturnType<typeof ruleSetStore>;
