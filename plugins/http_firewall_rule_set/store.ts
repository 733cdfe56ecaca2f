import { anyOf, type Db, type Flag, isLive, ownedRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Generated, Insertable, Selectable } from "kysely";
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
type SetFields = Omit<Insertable<Tables["httpFirewallRuleSets"]>, "id" | "userId" | "state">;

/** Defines all SQL statements of this plugin. */
export function ruleSetStore(db: Db<Tables>) {
  const fields = (p: SetFields) => ({
    isOn: p.isOn,
    name: p.name,
    code: p.code,
    description: p.description,
    connector: p.connector,
    ignoreLocal: p.ignoreLocal,
    actionsJSON: p.actionsJSON,
  });

  return {
    ...ownedRows(db, "httpFirewallRuleSets", errors.not_found),
    insert: db.query((q, p: SetFields & { userId: bigint }) =>
      q.insertInto("httpFirewallRuleSets").values({ userId: p.userId, ...fields(p) }).returning("id")
    ),
    update: db.query((q, p: SetFields & { id: bigint }) =>
      q.updateTable("httpFirewallRuleSets").set(fields(p)).where("id", "=", p.id)
    ),
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
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("httpFirewallRuleSets").select("id").where("userId", "=", p.userId).where(isLive)
        .orderBy("id").limit(p.limit)
    ),
    remove: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("httpFirewallRuleSets").set({ state: 0n }).where("id", "in", anyOf(p.ids))
    ),
    removeRulesOf: db.query((q, p: { setIds: bigint[] }) =>
      q.deleteFrom("httpFirewallRules").where("setId", "in", anyOf(p.setIds))
    ),
  };
}

export type RuleSetStore = ReturnType<typeof ruleSetStore>;
