import { type Kysely, sql } from "kysely";

/** What is searched stands apart from what is only shown, so that a search reads little. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table httpAccessLogs (
      id integer primary key,
      requestId text not null,
      partition integer not null,
      serverId integer not null,
      userId integer not null,
      nodeId integer not null,
      nodeClusterId integer not null,
      status integer not null,
      firewallPolicyId integer not null,
      firewallRuleGroupId integer not null,
      firewallRuleSetId integer not null,
      ipKey text not null,
      remoteAddr text not null,
      host text not null,
      scheme text not null,
      proto text not null,
      requestMethod text not null,
      requestURI text not null,
      requestPath text not null,
      referer text not null,
      userAgent text not null,
      tags text not null
    ) strict`.execute(db);
  for (
    const index of [
      "unique index httpAccessLogs_request on httpAccessLogs (requestId)",
      "index httpAccessLogs_server on httpAccessLogs (serverId, requestId)",
      "index httpAccessLogs_user on httpAccessLogs (userId, requestId) where userId <> 0",
      "index httpAccessLogs_ip on httpAccessLogs (ipKey, requestId)",
      "index httpAccessLogs_host on httpAccessLogs (host, requestId)",
      "index httpAccessLogs_error on httpAccessLogs (requestId) where status >= 400",
      "index httpAccessLogs_firewall on httpAccessLogs (requestId) where firewallPolicyId <> 0",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`
    create table httpAccessLogDetails (
      id integer primary key,
      log blob not null,
      requestBody blob
    ) strict`.execute(db);
  await sql`
    create table httpAccessLogPartitions (
      day integer not null,
      partition integer not null,
      n integer not null,
      firstId text not null,
      lastId text not null,
      primary key (day, partition)
    ) strict, without rowid`.execute(db);
}
