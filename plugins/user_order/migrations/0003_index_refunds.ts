import { type Kysely, sql } from "kysely";

/** The refunds through a method, which is not deleted while some wait. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index userOrderRefunds_method on userOrderRefunds (orderMethodId, id)`.execute(db);
}
