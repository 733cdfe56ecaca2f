import { anyOf, type Db, type Flag, ownedRows } from "edgehelm";
import type { LiveTable, SharingOptions } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  httpFirewallRuleGroups: LiveTable<{
    /** The owner; 0 for groups of the installation. */
    userId: bigint;
    isOn: Flag;
    name: string;
    description: string;
    code: string;
    setRefsJSON: Uint8Array;
    /** True for built-in groups. */
    isTemplate: Flag;
  }>;
  httpFirewallRuleGroupSets: { setId: bigint; groupId: bigint };
}

export type RuleGroupRow = Selectable<Tables["httpFirewallRuleGroups"]>;

const SETTINGS = ["isOn", "name", "description", "code"] as const;

/**
 * Defines all SQL statements of this plugin.
 *
 * @param sharing the objects that refer to groups, and what a group takes that gets a new owner
 */
export function ruleGroupStore(db: Db<Tables>, sharing: SharingOptions<RuleGroupRow>) {
  return {
    ...ownedRows(db, "httpFirewallRuleGroups", errors.not_found, sharing),
    insert: db.insert("httpFirewallRuleGroups", [...SETTINGS, "userId", "setRefsJSON", "isTemplate"]),
    update: db.update("httpFirewallRuleGroups", SETTINGS),
    setIsOn: db.update("httpFirewallRuleGroups", ["isOn"]),
    setRefs: db.update("httpFirewallRuleGroups", ["setRefsJSON"]),
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
  };
}

/** The columns in which groups refer to rule sets. */
export const SET_REFERENCES = { table: "httpFirewallRuleGroupSets", target: "setId", id: "groupId" } as const;

export type RuleGroupStore = ReturnType<typeof ruleGroupStore>;
