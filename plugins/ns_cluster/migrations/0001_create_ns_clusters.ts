import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table nsClusters (
      id integer primary key autoincrement,
      name text not null,
      isOn integer not null default 1,
      installDir text not null default '',
      hosts text not null,
      autoRemoteStart integer not null default 0,
      timeZone text not null default '',
      detectAgents integer not null default 0,
      email text not null,
      checkingPorts integer not null default 0,
      accessLogJSON blob,
      recursionJSON blob,
      tcpJSON blob,
      tlsJSON blob,
      udpJSON blob,
      dohJSON blob,
      ddosProtectionJSON blob,
      answerJSON blob,
      soaJSON blob,
      configVersion integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index nsClusters_live on nsClusters (id) where state = 1`.execute(db);
  await sql`
    create table nsClusterSSLPolicies (
      nsClusterId integer not null,
      configColumn text not null,
      sslPolicyId integer not null,
      primary key (nsClusterId, configColumn)
    ) strict, without rowid`.execute(db);
  await sql`create index nsClusterSSLPolicies_policy on nsClusterSSLPolicies (sslPolicyId)`.execute(db);
}
