import type { Migration } from "kysely/migration";
import type { Call } from "../../base/call.ts";
import type { Page } from "../../fields/page.ts";
import type { Db } from "../database.ts";
import {
  type ColumnOf,
  type CountedColumnOf,
  type ListDeclaration,
  type ListFilter,
  listShape,
} from "./declaration.ts";
import type { DbWith, DerivedTables, RowOf } from "./derived_tables.ts";
import { indexingJob } from "./indexing.ts";
import { insertedCounts } from "./inserted.ts";
import { type AnyFilter, ListReader } from "./list_reader.ts";
import { listMigration } from "./migration.ts";

/** A list of the rows of a table, newest first. See {@link declareList}. */
export interface List<Row, Filter> {
  /** Returns the rows of a page, newest first. It takes about the same time at any offset. */
  page(call: Call, filter: Filter, page: Page): Promise<Row[]>;
  /** Returns the number of rows that match a filter. */
  count(call: Call, filter: Filter): Promise<bigint>;
}

/** A {@link List} of a table into which the plugin inserts many rows at once. */
export interface BulkList<Row, Filter, Counted extends keyof Row> extends List<Row, Filter> {
  /**
   * Counts inserted rows. To be called after the statement that inserted them, in its transaction and once per row.
   *
   * @param values what all these rows, of which none is deleted, have in the columns of scopes, links, choices and days;
   *   for a single row this saves reading it again
   */
  added(call: Call, ids: readonly bigint[], values?: Pick<Row, Counted>): Promise<void>;
}

/** A declared list: the tables that the kernel keeps for it, and access to it. */
export interface DeclaredList<Declaration extends ListDeclaration> extends DerivedTables {
  /**
   * Makes the derived tables, indexes and triggers of the list, and counts the rows that exist; keywords are indexed in
   * the background. When a declaration changes, add it once more under the next name: it makes everything again.
   */
  readonly migration: Migration;
  /** Returns access to the list, once in setup. */
  open<Tables>(
    db: Db<Tables> & DbWith<Tables, Declaration["table"], ColumnOf<Declaration> | "id">,
  ): Declaration extends { readonly insertsInBulk: true } ? BulkList<
      RowOf<Tables, Declaration["table"]>,
      ListFilter<Declaration>,
      CountedColumnOf<Declaration> & keyof RowOf<Tables, Declaration["table"]>
    >
    : List<RowOf<Tables, Declaration["table"]>, ListFilter<Declaration>>;
}

/**
 * Declares a list of the rows of a table, which stays fast with millions of rows: pages at any offset, counts, and
 * searches for keywords, in any combination of its filters.
 *
 * @throws Error if the declaration is not valid
 *
 * @example
 * ```ts
 * import { declareList } from "edgehelm/storage";
 *
 * const noteList = declareList({
 *   table: "notes",
 *   softDeletion: "state",
 *   scopes: ["userId"],
 *   links: { groupId: "groupIds" },
 *   choices: ["status"],
 *   search: ["title", "text"],
 * });
 *
 * definePlugin({
 *   manifest,
 *   lists: [noteList],
 *   migrations: { "0001_create_notes": createNotes, "0002_list_notes": noteList.migration },
 *   setup({ db }) {
 *     const notes = noteList.open(db<Tables>());
 *   },
 * });
 *
 * const rows = await notes.page(call, { userId, keyword: "bread" }, pageOf(request));
 * const count = await notes.count(call, { userId, status: "open" });
 * ```
 */
export function declareList<const Declaration extends ListDeclaration>(
  declaration: Declaration,
): DeclaredList<Declaration> {
  const list = listShape(declaration);
  const job = list.search.length === 0 ? {} : {
    job: { name: `index_${snakeCase(list.table)}`, run: (db: Db<unknown>) => indexingJob(db, list) },
  };
  return {
    table: list.table,
    tables: Object.values(list.derived),
    singleRow: [list.derived.searchState],
    migration: listMigration(list),
    ...job,
    open(tables) {
      const db = tables as Db<unknown>;
      const reader = new ListReader(db, list);
      return {
        page: (call: Call, filter: AnyFilter, page: Page) => reader.page(call, filter, page),
        count: (call: Call, filter: AnyFilter) => reader.count(call, filter),
        added: insertedCounts(db, list),
      } as never;
    },
  };
}

function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/([A-Z])([A-Z][a-z])/g, "$1_$2").toLowerCase();
}
