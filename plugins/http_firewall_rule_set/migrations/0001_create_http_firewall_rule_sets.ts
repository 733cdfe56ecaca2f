import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpFirewallRuleSets (
      id integer primary key autoincrement,
      userId integer not null,
      isOn integer not null,
      name text not null,
      code text not null,
      description text not null,
      connector text not null,
      ignoreLocal integer not null,
      actionsJSON blob not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index httpFirewallRuleSets_user on httpFirewallRuleSets (userId, id) where state = 1`.execute(db);
  await sql`
    create table httpFirewallRules (
      id integer primary key autoincrement,
      setId integer not null,
      position integer not null,
      ruleJSON blob not null
    ) strict`.execute(db);
  await sql`create index httpFirewallRules_set on httpFirewallRules (setId, position)`.execute(db);
}
