import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table reportResults (
      id integer primary key autoincrement,
      type text not null,
      targetId integer not null,
      targetDesc text not null,
      reportNodeId integer not null,
      isOk integer not null,
      costMs real not null,
      error text not null,
      level text not null,
      countUp integer not null,
      countDown integer not null,
      updatedAt integer not null
    ) strict`.execute(db);
  for (
    const index of [
      "unique index reportResults_target on reportResults (type, targetId, reportNodeId)",
      "index reportResults_node on reportResults (reportNodeId, isOk, costMs desc, id desc)",
      "index reportResults_updatedAt on reportResults (updatedAt)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
}
