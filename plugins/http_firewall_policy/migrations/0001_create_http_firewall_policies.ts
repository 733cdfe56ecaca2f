import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpFirewallPolicies (
      id integer primary key autoincrement,
      serverId integer not null,
      serverGroupId integer not null,
      isOn integer not null,
      name text not null,
      description text not null,
      mode text not null default 'defend',
      useLocalFirewall integer not null default 0,
      maxRequestBodySize integer not null default 0,
      denyCountryHTML text not null default '',
      denyProvinceHTML text not null default '',
      inboundJSON blob not null,
      outboundJSON blob not null,
      blockOptionsJSON blob not null default x'',
      captchaOptionsJSON blob not null default x'',
      pageOptionsJSON blob not null default x'',
      jsCookieOptionsJSON blob not null default x'',
      synFloodJSON blob not null default x'',
      logJSON blob not null default x'',
      state integer not null default 1
    ) strict`.execute(db);
  await sql`
    create index httpFirewallPolicies_shared on httpFirewallPolicies (id)
      where state = 1 and serverId = 0 and serverGroupId = 0`.execute(db);
  await sql`
    create index httpFirewallPolicies_server on httpFirewallPolicies (serverId)
      where state = 1 and serverId <> 0`.execute(db);
  // Which policies a group is in: inboundJSON and outboundJSON, the other way around.
  await sql`
    create table httpFirewallPolicyGroups (
      groupId integer not null,
      policyId integer not null,
      primary key (groupId, policyId)
    ) strict, without rowid`.execute(db);
  await sql`create index httpFirewallPolicyGroups_policy on httpFirewallPolicyGroups (policyId)`.execute(db);
}
