/**
 * Works with large tables: changes in batches, inserts of many rows, searches, and lists that stay fast at any depth.
 *
 * `edgehelm` itself exports what every plugin with a table needs: `Db`, `liveRows`, `ownedRows`, `anyOf`. `edgehelm/rows`
 * has what tables of the same shape have in common. A statement is
 * compiled once, with `db.query`, and run with its values; it runs in the transaction of the call, if there is one.
 *
 * A list that may grow to millions of rows is declared (`declareList`): that gives pages at any offset, counts and
 * searches. Rows that nodes follow have a feed (`declareFeed`), and are changed through it (`feedRows`). The guide "Writing
 * a plugin" shows an example.
 *
 * A change of many rows belongs into batches (`inBatches`), since there is one writer at a time. Rows go in together
 * (`jsonRows`), since each statement is a round trip when the database is remote. A keyword of a small table needs no index
 * (`containing`); what a declared list cannot do is built on its parts (`trigramIndex`, `idRanges`).
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { type Db, definePlugin } from "edgehelm";
 * import { containing, inBatches, jsonRows } from "edgehelm/storage";
 * import { testKernel } from "edgehelm/testing";
 * import { type Generated, type Kysely, sql, type SqlBool } from "kysely";
 *
 * interface Tables {
 *   notes: { id: Generated<bigint>; text: string };
 * }
 *
 * function noteStore(db: Db<Tables>) {
 *   return {
 *     insertAll: db.query((q, p: { rows: string }) =>
 *       q.insertInto("notes").columns(["text"]).expression((e) =>
 *         e.selectFrom(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
 *           .select(sql<string>`value ->> 'text'`.as("text"))
 *       )
 *     ),
 *     search: db.query((q, p: { pattern: string }) =>
 *       q.selectFrom("notes").select("text").where(sql<SqlBool>`text like ${p.pattern} escape '\\'`).orderBy("id")
 *     ),
 *     deleteSome: db.query((q, p: { limit: number }) =>
 *       q.deleteFrom("notes").where("id", "in", (some) => some.selectFrom("notes").select("id").limit(p.limit))
 *     ),
 *   };
 * }
 *
 * let store!: ReturnType<typeof noteStore>;
 * const plugin = definePlugin({
 *   manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
 *   migrations: {
 *     "0001_create_notes": {
 *       up: async (db: Kysely<never>) =>
 *         void await sql`create table notes (id integer primary key, text text not null) strict`.execute(db),
 *     },
 *   },
 *   setup({ db }) {
 *     store = noteStore(db<Tables>());
 *   },
 * });
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const call = edgehelm.kernel.systemCall("example");
 * await call.transact(async (inner) => {
 *   for (const rows of jsonRows([{ text: "50 %" }, { text: "50" }])) await store.insertAll.run(inner, { rows });
 * });
 * deepEqual(await store.search.all(call, { pattern: containing("0 %") }), [{ text: "50 %" }]);
 * await inBatches(call, 1000, (inner, limit) => store.deleteSome.run(inner, { limit }));
 * equal((await store.search.all(call, { pattern: "%" })).length, 0);
 * ```
 *
 * @module
 */
export { pick } from "../base/pick.ts";
export { inBatches } from "../storage/batches.ts";
export type { DefaultInt32, Int32 } from "../storage/columns.ts";
export { type BucketCounts, type IdRanges, idRanges } from "../storage/id_ranges.ts";
export { jsonRows } from "../storage/json_rows.ts";
export {
  type DeclaredFeed,
  declareFeed,
  type Feed,
  type FeedDeclaration,
  type FeedPage,
} from "../storage/lists/feed.ts";
export { type FeedRows, feedRows, type FeedRowsOptions } from "../storage/lists/feed_rows.ts";
export { type BulkList, type DeclaredList, declareList, type List } from "../storage/lists/list.ts";
export type { ListDeclaration, ListFilter } from "../storage/lists/declaration.ts";
export type { DerivedTables } from "../storage/lists/derived_tables.ts";
export { memoizeByShape } from "../storage/memoize_by_shape.ts";
export { containing } from "../storage/parameters.ts";
export type { Query } from "../storage/query.ts";
export {
  type TrigramIndex,
  trigramIndex,
  trigramQuery,
  type TrigramSource,
  type TrigramTables,
} from "../storage/trigram_index.ts";
