import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table reportNodes (
      id integer primary key autoincrement,
      uniqueId text not null,
      secret text not null,
      name text not null,
      location text not null,
      isp text not null,
      allowIPs text not null,
      isOn integer not null default 1,
      isActive integer not null default 0,
      statusJSON blob,
      statusIP text not null default '',
      statusLocation text not null default '',
      statusISP text not null default '',
      statusUpdatedAt integer not null default 0,
      groupIds text not null,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "unique index reportNodes_uniqueId on reportNodes (uniqueId)",
      "index reportNodes_live on reportNodes (isActive, id desc) where state = 1",
      "index reportNodes_active on reportNodes (statusUpdatedAt) where state = 1 and isActive = 1",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`
    create table reportNodeGroupLinks (
      reportNodeGroupId integer not null,
      reportNodeId integer not null,
      primary key (reportNodeGroupId, reportNodeId)
    ) strict, without rowid`.execute(db);
  const link = `insert into reportNodeGroupLinks (reportNodeGroupId, reportNodeId)
    select distinct value, new.id from json_each(new.groupIds);`;
  const unlink = `delete from reportNodeGroupLinks
    where reportNodeId = old.id and reportNodeGroupId in (select value from json_each(old.groupIds));`;
  for (
    const trigger of [
      `reportNodes_created after insert on reportNodes begin ${link} end`,
      `reportNodes_changed after update of groupIds on reportNodes when new.state = 1 begin ${unlink} ${link} end`,
      `reportNodes_deleted after update of state on reportNodes when new.state = 0 begin ${unlink} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
  await sql`create table reportNodeSettings (id integer primary key, settingJSON blob not null) strict`.execute(db);
}
