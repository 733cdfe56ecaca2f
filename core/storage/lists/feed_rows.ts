import { sql } from "kysely";
import type { Call } from "../../base/call.ts";
import type { FixedValues, NewValues } from "../column_values.ts";
import type { Db } from "../database.ts";
import { jsonRows } from "../json_rows.ts";
import { anyOf } from "../parameters.ts";
import { isLive } from "../rows/selections.ts";
import type { DbWith, RowOf } from "./derived_tables.ts";
import type { DeclaredFeed, Feed, FeedColumn, FeedDeclaration } from "./feed.ts";

/** The columns that {@link feedRows} sets. */
export interface FeedRowsOptions<Table, Inserted, Updated> {
  /** The columns of a new row, apart from its version. */
  readonly insert: readonly Inserted[];
  /** The columns that changes set, apart from the version. */
  readonly update: readonly Updated[];
  /** The values of other columns, which every insert of a single row sets. */
  readonly also?: FixedValues<Table>;
}

/** The changes of rows that have a feed. Each change assigns the next version. See {@link feedRows}. */
export interface FeedRows<Row, New> {
  readonly feed: Feed<Row>;
  /** Inserts a row, and returns its id. */
  create(call: Call, row: New): Promise<bigint>;
  /** Inserts rows without bytes, and returns their ids in order. */
  createAll(call: Call, rows: readonly New[]): Promise<bigint[]>;
  /** Changes some columns of a row. */
  change(call: Call, row: Row, changes: Partial<Row>): Promise<void>;
  /** Stores changed rows. */
  changeAll(call: Call, rows: readonly Row[]): Promise<void>;
  /** Soft-deletes the rows of these that are not deleted yet. */
  softDelete(call: Call, ids: readonly bigint[]): Promise<void>;
  /** Moves rows to a scope of the feed; without scopes, they only get new versions, so that readers fetch them again. */
  move(call: Call, ids: readonly bigint[], scope: bigint): Promise<void>;
}

type TableOf<Tables, Declaration extends FeedDeclaration> = Tables[Declaration["table"] & keyof Tables];
type AnyRow = { readonly id: bigint } & Record<string, unknown>;
type AnyTables = Record<string, { id: bigint; state: bigint }>;

/**
 * Creates the statements that change the rows of a feed, whose `state` is 1, or 0 after a soft delete.
 *
 * @param declared the feed of the table
 * @param options the columns that inserts and changes set
 *
 * @example
 * ```ts
 * import { declareFeed, feedRows } from "edgehelm/storage";
 *
 * const noteFeed = declareFeed({ table: "notes", version: "version", scope: "groupId" });
 *
 * const notes = feedRows(db, noteFeed, { insert: ["groupId", "title"], update: ["groupId", "title", "isOn"] });
 * const id = await notes.create(call, { groupId: 1n, title: "bread" });
 * await notes.move(call, [id], 2n);
 * ```
 */
export function feedRows<
  Tables,
  const Declaration extends FeedDeclaration,
  const Inserted extends keyof TableOf<Tables, Declaration> & string,
  const Updated extends keyof TableOf<Tables, Declaration> & string,
>(
  db: Db<Tables> & DbWith<Tables, Declaration["table"], FeedColumn<Declaration> | "id" | "state">,
  declared: DeclaredFeed<Declaration>,
  options: FeedRowsOptions<TableOf<Tables, Declaration>, Inserted, Updated>,
): FeedRows<RowOf<Tables, Declaration["table"]>, NewValues<TableOf<Tables, Declaration>, Inserted>> {
  const { table, version, scope } = declared.declaration as FeedDeclaration;
  const feed = declared.open(db as never) as unknown as Feed<AnyRow>;
  // the names of tables and columns are values here, so the types cannot follow
  const tables = db as unknown as Db<AnyTables>;
  const insertOne = tables.insert(table, options.insert as never[], { ...options.also, [version]: feed.nextVersion });
  const insertAll = tables.query((q, p: { rows: string }) =>
    q.insertInto(table).columns([...options.insert, version] as never[])
      .expression((e) =>
        e.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.rows})`.as("item")).select([
          ...options.insert.map((column) => sql`item.value ->> ${sql.lit(column)}`.as(column)),
          sql`${feed.nextVersion} + item.key`.as(version),
        ]).orderBy("item.key") as never
      ).returning(["id", sql.ref<bigint>(version).as("version")])
  );
  const update = tables.query((q, p: AnyRow & { readonly index: number }) =>
    q.updateTable(table).set({
      ...Object.fromEntries(options.update.map((column) => [column, p[column]])),
      [version]: sql`${feed.nextVersion} + ${p.index}`,
    }).where("id", "=", p.id)
  );
  // only rows that change use versions, so that readers do not wait for others
  const updateAll = (column: string | undefined) =>
    tables.query((q, p: { ids: readonly bigint[]; value: bigint }) =>
      q.updateTable(table)
        .from(sql<{ id: bigint; index: bigint }>`(select id, row_number() over (order by id) - 1 as "index"
          from ${sql.table(table)} where id in ${anyOf(p.ids)} and ${isLive})`.as("changed"))
        .set({ ...column && { [column]: p.value }, [version]: sql`${feed.nextVersion} + changed."index"` } as never)
        .where(sql.ref(`${table}.id`), "=", sql.ref("changed.id"))
    );
  const [setState, setScope] = [updateAll("state"), updateAll(scope)];

  async function runAll(query: typeof setState, call: Call, ids: readonly bigint[], value: bigint): Promise<void> {
    if (ids.length === 0) return;
    await feed.advance(call, Number(await query.run(call, { ids, value })));
  }

  async function create(call: Call, row: object): Promise<bigint> {
    const { id } = await insertOne.one(call, row as never);
    await feed.advance(call, 1);
    return id;
  }

  async function changeAll(call: Call, rows: readonly AnyRow[]): Promise<void> {
    if (rows.length === 0) return;
    for (const [index, row] of rows.entries()) await update.defer(call, { ...row, index });
    await feed.advance(call, rows.length);
  }

  const changes: FeedRows<AnyRow, object> = {
    feed,
    create,
    async createAll(call, rows) {
      // at a third of the cost of a list of one
      if (rows.length === 1) return [await create(call, rows[0]!)];
      const ids: bigint[] = [];
      for (const text of jsonRows(rows)) {
        const inserted = await insertAll.all(call, { rows: text });
        await feed.advance(call, inserted.length);
        ids.push(...inserted.sort((a, b) => Number(a.version - b.version)).map(({ id }) => id));
      }
      return ids;
    },
    change: async (call, row, changed) => await changeAll(call, [{ ...row, ...changed }]),
    changeAll,
    softDelete: async (call, ids) => await runAll(setState, call, ids, 0n),
    move: async (call, ids, value) => await runAll(setScope, call, ids, value),
  };
  return changes as never;
}
