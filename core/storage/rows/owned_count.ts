import type { Selectable } from "kysely";
import type { Db } from "../database.ts";
import type { Query } from "../query.ts";
import type { Deletable } from "./live_rows.ts";
import { isLive, rowCount } from "./selections.ts";

/**
 * Creates the statement that counts the live rows of a user, for tables with an index on `userId` of live rows.
 *
 * @example
 * ```ts
 * import { ownedCount } from "edgehelm/rows";
 *
 * const countOfUser = ownedCount(db, "certificates");
 * const { count } = await countOfUser.one(call, { userId });
 * ```
 */
export function ownedCount<Tables, Name extends keyof Tables & string>(
  db: Db<Tables>,
  table: Selectable<Tables[Name]> extends { userId: bigint } ? Name : never,
): Query<{ userId: bigint }, { count: bigint }> {
  const ofUsers = db as unknown as Db<Record<string, Deletable & { userId: bigint }>>;
  return ofUsers.query((q, p: { userId: bigint }) =>
    q.selectFrom(table as string).select(rowCount).where("userId", "=", p.userId).where(isLive)
  );
}
