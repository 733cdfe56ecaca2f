import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table userEmailVerifications (
      id integer primary key autoincrement,
      userId integer not null,
      email text not null collate nocase,
      codeHash text not null,
      messageTaskId integer not null,
      isSent integer not null default 0,
      verifiedAt integer not null default 0,
      createdAt integer not null,
      expiresAt integer not null
    ) strict`.execute(db);
  for (
    const index of [
      "unique index userEmailVerifications_code on userEmailVerifications (codeHash) where codeHash <> ''",
      "index userEmailVerifications_user on userEmailVerifications (userId, createdAt)",
      "index userEmailVerifications_email on userEmailVerifications (email, createdAt)",
      "index userEmailVerifications_task on userEmailVerifications (messageTaskId)",
      "index userEmailVerifications_createdAt on userEmailVerifications (createdAt)",
    ]
  ) await sql`create ${sql.raw(index)}`.execute(db);
}
