import { anyOf, type Db, type Flag, isLive, ownedRows } from "edgehelm";
import type { Generated, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  httpFirewallRuleGroups: {
    id: Generated<bigint>;
    /** The owner; 0 for groups of the installation. */
    userId: bigint;
    isOn: Flag;
    name: string;
    description: string;
    code: string;
    setRefsJSON: Uint8Array;
    /** True for built-in groups. */
    isTemplate: Flag;
    state: Generated<bigint>;
  };
  httpFirewallRuleGroupSets: { setId: bigint; groupId: bigint };
}

export type RuleGroupRow = Selectable<Tables["httpFirewallRuleGroups"]>;

interface GroupFields {
  readonly isOn: boolean;
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

/** Defines all SQL statements of this plugin. */
export function ruleGroupStore(db: Db<Tables>) {
  return {
    ...ownedRows(db, "httpFirewallRuleGroups", errors.not_found),
    insert: db.query((q, p: GroupFields & { userId: bigint; setRefsJSON: Uint8Array; isTemplate: boolean }) =>
      q.insertInto("httpFirewallRuleGroups").values({
        userId: p.userId,
        isOn: p.isOn,
        name: p.name,
        description: p.description,
        code: p.code,
        setRefsJSON: p.setRefsJSON,
        isTemplate: p.isTemplate,
      }).returning("id")
    ),
    update: db.query((q, p: GroupFields & { id: bigint }) =>
      q.updateTable("httpFirewallRuleGroups")
        .set({ isOn: p.isOn, name: p.name, description: p.description, code: p.code })
        .where("id", "=", p.id)
    ),
    setIsOn: db.query((q, p: { id: bigint; isOn: boolean }) =>
      q.updateTable("httpFirewallRuleGroups").set({ isOn: p.isOn }).where("id", "=", p.id)
    ),
    setRefs: db.query((q, p: { id: bigint; setRefsJSON: Uint8Array }) =>
      q.updateTable("httpFirewallRuleGroups").set({ setRefsJSON: p.setRefsJSON }).where("id", "=", p.id)
    ),
    link: db.query((q, p: { setId: bigint; groupId: bigint }) =>
      q.insertInto("httpFirewallRuleGroupSets").values({ setId: p.setId, groupId: p.groupId })
    ),
    unlink: db.query((q, p: { groupIds: bigint[] }) =>
      q.deleteFrom("httpFirewallRuleGroupSets").where("groupId", "in", anyOf(p.groupIds))
    ),
    withSets: db.query((q, p: { setIds: bigint[] }) =>
      q.selectFrom("httpFirewallRuleGroupSets").select("groupId").distinct().where("setId", "in", anyOf(p.setIds))
        .orderBy("groupId")
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("httpFirewallRuleGroups").select("id").where("userId", "=", p.userId).where(isLive)
        .orderBy("id").limit(p.limit)
    ),
    remove: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("httpFirewallRuleGroups").set({ state: 0n }).where("id", "in", anyOf(p.ids))
    ),
  };
}

export type RuleGroupStore = ReturnType<typeof ruleGroupStore>;
