import { type AliasedRawBuilder, type RawBuilder, sql, type SqlBool } from "kysely";

/**
 * The condition that a row is not soft-deleted. The value is a literal, because a parameter would keep SQLite from
 * using partial indexes.
 *
 * @example
 * ```ts
 * import { isLive } from "edgehelm";
 *
 * const names = db.query((q) => q.selectFrom("plans").select("name").where(isLive));
 * ```
 */
export const isLive: RawBuilder<SqlBool> = sql<SqlBool>`state = 1`;

/**
 * The selection of the number of rows, as `count`.
 *
 * @example
 * ```ts
 * import { isLive, rowCount } from "edgehelm";
 *
 * const countAll = db.query((q) => q.selectFrom("plans").select(rowCount).where(isLive));
 * const { count } = await countAll.one(call, {});
 * ```
 */
export const rowCount: AliasedRawBuilder<bigint, "count"> = sql<bigint>`count(*)`.as("count");
