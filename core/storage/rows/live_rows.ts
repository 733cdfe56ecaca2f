import type { Compilable, Kysely, Selectable } from "kysely";
import type { Call } from "../../base/call.ts";
import { invalid, type RpcError } from "../../base/errors.ts";
import { idField } from "../../fields/fields.ts";
import type { Db } from "../database.ts";
import { anyOf } from "../parameters.ts";
import type { Query } from "../query.ts";
import type { References } from "./references.ts";
import { isLive } from "./selections.ts";

/** The common statements of a table with soft deletion. See {@link liveRows}. */
export interface LiveRows<Row> {
  readonly byId: Query<{ id: bigint }, Row>;
  readonly byIds: Query<{ ids: readonly bigint[] }, Row>;
  /** Soft-deletes the row: it stays in the table for rows that refer to it. */
  readonly remove: Query<{ id: bigint }, unknown>;
  /** Soft-deletes several rows. */
  readonly removeAll: Query<{ ids: readonly bigint[] }, unknown>;
  /** Returns the row, or undefined, for operations whose response then leaves out the object. */
  find(call: Call, id: bigint): Promise<Row | undefined>;
  /** Returns the rows with these ids that exist, in any order. */
  ofIds(call: Call, ids: readonly bigint[]): Promise<Row[]>;
  /**
   * Returns the row that a field of a request names.
   *
   * @throws RpcError invalid if `id` is not positive, or the error of the plugin if the row does not exist
   */
  require(call: Call, field: string, id: bigint): Promise<Row>;
  /**
   * Returns the rows with these ids, in their order.
   *
   * @throws the error of the plugin if a row does not exist
   */
  requireAll(call: Call, ids: readonly bigint[]): Promise<Row[]>;
  /**
   * Lets other plugins look up the rows of all owners.
   *
   * @param summary returns what other plugins see of a row
   */
  references<Summary>(summary: (row: Row) => Summary): References<Summary>;
}

/** The columns of every table with soft deletion. */
export interface Deletable {
  id: bigint;
  state: bigint;
}

/**
 * Creates the common statements of a table whose rows have an `id`, and a `state` that is 1, or 0 after a soft delete.
 *
 * @param missing returns the error for a row that does not exist
 *
 * @example
 * ```ts
 * import { liveRows } from "edgehelm";
 * import { pick } from "edgehelm/storage";
 *
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
  // The table name is a type parameter here, so the query builder cannot infer the columns.
  const rows = (q: Kysely<Record<string, Deletable>>) => q.selectFrom(table as string).selectAll().where(isLive);
  const byId = deletable.query((q, p: { id: bigint }) =>
    rows(q).where("id", "=", p.id) as Compilable<unknown> as Compilable<Row>
  );
  const byIds = deletable.query((q, p: { ids: readonly bigint[] }) =>
    rows(q).where("id", "in", anyOf(p.ids)) as Compilable<unknown> as Compilable<Row>
  );
  async function ofIds(call: Call, ids: readonly bigint[]): Promise<Row[]> {
    if (ids.length === 0) return [];
    // a single id is the common case, and faster without a list
    return ids.length === 1 ? await byId.all(call, { id: ids[0]! }) : await byIds.all(call, { ids });
  }
  return {
    byId,
    byIds,
    ofIds,
    remove: deletable.query((q, p: { id: bigint }) =>
      q.updateTable(table as string).set({ state: 0n }).where("id", "=", p.id)
    ),
    removeAll: deletable.query((q, p: { ids: readonly bigint[] }) =>
      q.updateTable(table as string).set({ state: 0n }).where("id", "in", anyOf(p.ids))
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
    references(summary) {
      type Summaries = ReadonlyMap<bigint, ReturnType<typeof summary>>;
      async function summaries(call: Call, ids: readonly bigint[]): Promise<Summaries> {
        return new Map((await ofIds(call, ids)).map((row) => [(row as Deletable).id, summary(row)]));
      }
      return {
        summaries,
        async require(call, field, id) {
          await byId.require(call, { id }, () => invalid(field, missing(id).message));
        },
        async requireAll(call, field, ids) {
          const found = await summaries(call, ids);
          const absent = ids.find((id) => !found.has(id));
          if (absent !== undefined) throw invalid(field, missing(absent).message);
        },
      };
    },
  };
}
