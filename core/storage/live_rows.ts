import {
  type AliasedRawBuilder,
  type Compilable,
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type SqlBool,
} from "kysely";
import type { Call } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";
import { idField } from "../fields/fields.ts";
import { onlyOwned, requireOwned } from "../fields/ownership.ts";
import type { Db } from "./database.ts";
import { anyOf } from "./parameters.ts";
import type { Query } from "./query.ts";

/** Whether a row is not deleted. Written out, since a parameter would keep SQLite from using the indexes of such rows. */
export const isLive: RawBuilder<SqlBool> = sql<SqlBool>`state = 1`;

/** How many rows there are, as `count`. */
export const rowCount: AliasedRawBuilder<bigint, "count"> = sql<bigint>`count(*)`.as("count");

/** What every table needs whose rows have an `id`, and a `state` that is 1 and, once they are deleted, 0. */
export interface LiveRows<Row> {
  readonly byId: Query<{ id: bigint }, Row>;
  readonly byIds: Query<{ ids: readonly bigint[] }, Row>;
  /** Marks the row as deleted; what looks back still finds it. */
  readonly remove: Query<{ id: bigint }, unknown>;
  /** The row, or undefined; for operations that answer without the object. */
  find(call: Call, id: bigint): Promise<Row | undefined>;
  /**
   * The row that a field of a request names.
   *
   * @throws invalid when `id` is none, and the plugin's own error when there is no such row
   */
  require(call: Call, field: string, id: bigint): Promise<Row>;
  /**
   * The rows that a list of ids names, in its order.
   *
   * @throws the plugin's own error when one is missing
   */
  requireAll(call: Call, ids: readonly bigint[]): Promise<Row[]>;
}

interface Deletable {
  id: bigint;
  state: bigint;
}

/**
 * The statements of a table whose rows are deleted by their state.
 *
 * @param missing makes the plugin's error about a row that is not there
 * @example
 * ```ts
 * return {
 *   ...liveRows(db, "plans", errors.not_found),
 *   insert: db.query((q, p: PlanFields) => q.insertInto("plans").values(pick(p, SETTINGS)).returning("id")),
 * };
 * ```
 */
export function liveRows<Tables, Name extends keyof Tables & string>(
  db: Db<Tables>,
  table: Name,
  missing: (id: bigint) => RpcError,
): LiveRows<Selectable<Tables[Name]>> {
  type Row = Selectable<Tables[Name]>;
  const deletable = db as unknown as Db<Record<string, Deletable>>;
  // The builder knows the table by a name that is only known here, so it cannot tell the columns.
  const rows = (q: Kysely<Record<string, Deletable>>) => q.selectFrom(table as string).selectAll().where(isLive);
  const byId = deletable.query((q, p: { id: bigint }) =>
    rows(q).where("id", "=", p.id) as Compilable<unknown> as Compilable<Row>
  );
  const byIds = deletable.query((q, p: { ids: readonly bigint[] }) =>
    rows(q).where("id", "in", anyOf(p.ids)) as Compilable<unknown> as Compilable<Row>
  );
  return {
    byId,
    byIds,
    remove: deletable.query((q, p: { id: bigint }) =>
      q.updateTable(table as string).set({ state: 0n }).where("id", "=", p.id)
    ),
    find: (call, id) => byId.first(call, { id }),
    require: async (call, field, id) => await byId.require(call, { id: idField(field, id) }, () => missing(id)),
    async requireAll(call, ids) {
      const found = new Map((await byIds.all(call, { ids })).map((row) => [(row as Deletable).id, row]));
      return ids.map((id) => {
        const row = found.get(id);
        if (row === undefined) throw missing(id);
        return row;
      });
    },
  };
}

/** The same for rows that belong to users: to a user, another's row is missing. */
export function ownedRows<Tables, Name extends keyof Tables & string>(
  db: Db<Tables>,
  table: Selectable<Tables[Name]> extends { userId: bigint } ? Name : never,
  missing: (id: bigint) => RpcError,
): LiveRows<Selectable<Tables[Name]>> {
  const rows = liveRows<Tables, Name>(db, table, missing);
  type Owned = Selectable<Tables[Name]> & { readonly userId: bigint };
  return {
    ...rows,
    find: async (call, id) => onlyOwned(call, await rows.find(call, id) as Owned | undefined),
    require: async (call, field, id) =>
      requireOwned(call, await rows.find(call, idField(field, id)) as Owned | undefined, missing(id)),
    async requireAll(call, ids) {
      const found = await rows.requireAll(call, ids) as (Owned & Deletable)[];
      return found.map((row) => requireOwned(call, row, missing(row.id)));
    },
  };
}
