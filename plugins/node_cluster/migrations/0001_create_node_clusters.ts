import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nodeClusters (
      id integer primary key autoincrement,
      uniqueId text not null,
      name text not null,
      isOn integer not null default 1,
      isPinned integer not null default 0,
      createdAt integer not null,
      nodeGrantId integer not null,
      installDir text not null,
      dnsName text not null,
      dnsTTL integer not null,
      httpCachePolicyId integer not null,
      httpFirewallPolicyId integer not null,
      timeZone text not null default '',
      nodeMaxThreads integer not null default 0,
      autoOpenPorts integer not null default 0,
      autoRemoteStart integer not null default 0,
      autoInstallNftables integer not null,
      autoSystemTuning integer not null,
      autoTrimDisks integer not null,
      maxConcurrentReads integer not null,
      maxConcurrentWrites integer not null,
      clockJSON blob,
      sshParamsJSON blob,
      ddosProtectionJSON blob,
      globalServerConfigJSON blob,
      systemServicesJSON blob,
      configVersion integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index nodeClusters_uniqueId on nodeClusters (uniqueId)`.execute(db);
  await sql`create unique index nodeClusters_dnsName on nodeClusters (dnsName) where state = 1 and dnsName != ''`
    .execute(db);
  await sql`create index nodeClusters_live on nodeClusters (id) where state = 1`.execute(db);
  await sql`create index nodeClusters_pinned on nodeClusters (isPinned, id) where state = 1`.execute(db);
  await sql`create index nodeClusters_grant on nodeClusters (nodeGrantId, id) where state = 1`.execute(db);
  await sql`create index nodeClusters_cache on nodeClusters (httpCachePolicyId, id) where state = 1`.execute(db);
  await sql`create index nodeClusters_firewall on nodeClusters (httpFirewallPolicyId, id) where state = 1`.execute(db);
}
