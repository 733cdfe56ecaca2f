import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpFirewallRuleGroups (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null,
      name text not null,
      description text not null,
      code text not null,
      setRefsJSON blob not null,
      isTemplate integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index httpFirewallRuleGroups_user on httpFirewallRuleGroups (userId, id) where state = 1`.execute(
    db,
  );
  // Which groups a set is in: setRefsJSON, the other way around.
  await sql`
    create table httpFirewallRuleGroupSets (
      setId integer not null,
      groupId integer not null,
      primary key (setId, groupId)
    ) strict, without rowid`.execute(db);
  await sql`create index httpFirewallRuleGroupSets_group on httpFirewallRuleGroupSets (groupId)`.execute(db);
}
