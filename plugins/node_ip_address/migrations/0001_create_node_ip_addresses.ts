import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  // nodeIsOn and nodeClusterId follow the node
  await sql`
    create table nodeIPAddresses (
      id integer primary key autoincrement,
      nodeId integer not null,
      role text not null,
      nodeIsOn integer not null,
      nodeClusterId integer not null,
      name text not null,
      ip text not null,
      description text not null,
      canAccess integer not null,
      isOn integer not null default 1,
      isUp integer not null,
      clusterIds text not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create unique index nodeIPAddresses_node on nodeIPAddresses (nodeId, role, ip) where state = 1`.execute(db);
  await sql`create index nodeIPAddresses_live on nodeIPAddresses (isUp, id desc) where state = 1`.execute(db);
  await sql`
    create index nodeIPAddresses_accessible on nodeIPAddresses (role, nodeClusterId, id)
    where state = 1 and isOn = 1 and nodeIsOn = 1 and canAccess = 1`.execute(db);
}
