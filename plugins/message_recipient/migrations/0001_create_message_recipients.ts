import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table messageRecipients (
      id integer primary key autoincrement,
      adminId integer not null,
      messageMediaInstanceId integer not null,
      groupIds text not null,
      nodeClusterIds text not null,
      description text not null,
      "user" text not null,
      timeFrom text not null,
      timeTo text not null,
      isOn integer not null default 1,
      state integer not null default 1
    ) strict`.execute(db);
  for (
    const index of [
      "index messageRecipients_live on messageRecipients (id) where state = 1",
      "index messageRecipients_admin on messageRecipients (adminId, id) where state = 1",
      "index messageRecipients_instance on messageRecipients (messageMediaInstanceId, id) where state = 1",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
  await sql`
    create table messageRecipientGroupLinks (
      messageRecipientGroupId integer not null,
      messageRecipientId integer not null,
      primary key (messageRecipientGroupId, messageRecipientId)
    ) strict, without rowid`.execute(db);
  const link = `insert into messageRecipientGroupLinks (messageRecipientGroupId, messageRecipientId)
    select distinct value, new.id from json_each(new.groupIds);`;
  const unlink = `delete from messageRecipientGroupLinks where messageRecipientId = old.id
    and messageRecipientGroupId in (select value from json_each(old.groupIds));`;
  for (
    const trigger of [
      `messageRecipients_created after insert on messageRecipients begin ${link} end`,
      `messageRecipients_changed after update of groupIds on messageRecipients when new.state = 1
        begin ${unlink} ${link} end`,
      `messageRecipients_deleted after update of state on messageRecipients when new.state = 0 begin ${unlink} end`,
    ]
  ) await sql`create trigger ${sql.raw(trigger)}`.execute(db);
}
