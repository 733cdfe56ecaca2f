import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userVerifyCodes (
      id integer primary key autoincrement,
      email text not null collate nocase,
      userId integer not null default 0,
      place text not null,
      code text not null default '',
      attempts integer not null default 0,
      isSent integer not null default 0,
      addressGroup text not null,
      createdAt integer not null,
      expiresAt integer not null default 0
    ) strict`.execute(db);
  for (
    const index of [
      "index userVerifyCodes_email on userVerifyCodes (email, createdAt)",
      "index userVerifyCodes_address on userVerifyCodes (addressGroup, createdAt)",
      "index userVerifyCodes_createdAt on userVerifyCodes (createdAt)",
      "index userVerifyCodes_user on userVerifyCodes (userId) where userId <> 0",
      "index userVerifyCodes_unsent on userVerifyCodes (id) where isSent = 0",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
}
