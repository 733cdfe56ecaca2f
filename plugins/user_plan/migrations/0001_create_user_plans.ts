import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userPlans (
      id integer primary key autoincrement,
      userId integer not null,
      planId integer not null,
      name text not null,
      -- the last day, such as 2026-01-31
      dayTo text not null,
      -- the day of the month that renewals end on, in months that have it
      anchorDay integer not null,
      isOn integer not null default 1,
      -- whether its sites know that it has expired
      isExpiryTold integer not null default 0,
      createdAt integer not null,
      state integer not null default 1
    ) strict`.execute(db);
  await sql`create index userPlans_live on userPlans (id) where state = 1`.execute(db);
  await sql`create index userPlans_user on userPlans (userId, id) where state = 1`.execute(db);
  await sql`create index userPlans_plan on userPlans (planId, id) where state = 1`.execute(db);
  await sql`create index userPlans_day on userPlans (dayTo, id) where state = 1`.execute(db);
  await sql`
    create index userPlans_untold on userPlans (dayTo, id) where state = 1 and isExpiryTold = 0`.execute(db);

  // How many live plans end on each day, so that counting them reads days and not plans.
  await sql`create table userPlanDays (dayTo text primary key, n integer not null) strict, without rowid`.execute(db);
  const add = (row: "new" | "old", n: 1 | -1) =>
    sql.raw(`
      insert into userPlanDays (dayTo, n) select ${row}.dayTo, ${n} where ${row}.state = 1
        on conflict (dayTo) do update set n = n + ${n};`);
  await sql`create trigger userPlans_added after insert on userPlans begin ${add("new", 1)} end`.execute(db);
  await sql`
    create trigger userPlans_changed after update of dayTo, state on userPlans
    begin ${add("old", -1)} ${add("new", 1)} end`.execute(db);
}
