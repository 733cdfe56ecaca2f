/**
 * Declares what tables of the same shape have in common, so that a plugin reads like a table of what it is.
 *
 * Most plugins keep rows that are created, changed, soft-deleted, found, listed and counted. `liveRows` and `ownedRows` of
 * `edgehelm` find and delete them, `db.insert` and `db.update` name the columns that a statement sets, and `rowList` the
 * conditions and the order of a list. `rowMessage` turns rows into messages. `createRow`, `findRow`, `updateRow`, `deleteRow`,
 * `listRows`, `pageRows` and `countRows` are the handlers of operations without rules of their own; where an operation has one,
 * write its handler. `rowErrors` declares the errors that such tables have in common.
 *
 * A row that rows of other plugins refer to is looked up by them through a contract (`References`), and is not deleted as
 * long as they report that they use it (`defineUses`, `usedBy`). Where rows have owners, references also decide with whom
 * rows of the installation are shared, and whose they become (`defineReferrers`, and `take` and `referrer` of `ownedRows`).
 *
 * @example
 * ```ts
 * import { deepEqual, rejects } from "node:assert/strict";
 * import { TimeDurationSchema } from "edgehelm/proto/shapes/time_duration_pb.js";
 * import { type Db, type DefaultFlag, defineErrors, definePlugin, liveRows } from "edgehelm";
 * import { findRow, type LiveTable, pageRows, rowList, rowMessage, updateRow } from "edgehelm/rows";
 * import { testKernel } from "edgehelm/testing";
 * import { type Kysely, sql } from "kysely";
 *
 * const errors = defineErrors("trials", { not_found: ["not_found", (id: bigint) => `trial ${id} does not exist`] });
 *
 * // store.ts: which columns an insert and an update set, and how lists are filtered and ordered
 * interface Tables {
 *   trials: LiveTable<{ count: bigint; unit: string; isOn: DefaultFlag }>;
 * }
 *
 * function trialStore(db: Db<Tables>) {
 *   return {
 *     ...liveRows(db, "trials", errors.not_found),
 *     insert: db.insert("trials", ["count", "unit"]),
 *     update: db.update("trials", ["count", "isOn"]),
 *     list: rowList(db, "trials", { equalIfSet: ["isOn"], contains: ["unit"], order: { count: "asc" } }),
 *   };
 * }
 *
 * // handlers.ts: the operations that have no rules of their own
 * const trialMessage = rowMessage(TimeDurationSchema, ["count", "unit"]);
 * function trialHandlers(trials: ReturnType<typeof trialStore>) {
 *   return {
 *     updateTrial: updateRow(trials, "trialId", trials.update, ({ count }: { trialId: bigint; count: bigint }) => {
 *       return { count, isOn: count > 0n };
 *     }),
 *     findTrial: findRow(trials, "trialId", "trial", trialMessage),
 *     listTrials: pageRows(trials.list, "trials", trialMessage),
 *   };
 * }
 *
 * // plugin.ts: how the parts are wired together
 * let trials!: ReturnType<typeof trialStore>;
 * const plugin = definePlugin({
 *   manifest: { name: "trials", version: "1.0.0", kernel: "^1", services: [], tables: ["trials"] },
 *   migrations: {
 *     "0001_create_trials": {
 *       up: async (db: Kysely<never>) =>
 *         void await sql`create table trials (id integer primary key, count integer not null, unit text not null,
 *           isOn integer not null default 1, state integer not null default 1) strict`.execute(db),
 *     },
 *   },
 *   setup({ db }) {
 *     trials = trialStore(db<Tables>());
 *   },
 * });
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const call = edgehelm.kernel.systemCall("example");
 * const { updateTrial, findTrial, listTrials } = trialHandlers(trials);
 * await call.transact(async (inner) => {
 *   for (const [count, unit] of [[2n, "week"], [1n, "month"]] as const) await trials.insert.run(inner, { count, unit });
 *   await updateTrial({ trialId: 1n, count: 0n }, inner);
 * });
 * deepEqual(await findTrial({ trialId: 1n }, call), { trial: { count: 0n, unit: "week" } });
 * deepEqual(await findTrial({ trialId: 9n }, call), {});
 * const page = { offset: 0n, size: 10n };
 * deepEqual((await listTrials({ ...page, keyword: "" }, call)).trials.map(({ unit }) => unit), ["week", "month"]);
 * deepEqual((await listTrials({ ...page, keyword: "w", isOn: true }, call)).trials, []);
 * await rejects(updateTrial({ trialId: 9n, count: 1n }, call), { message: "trial 9 does not exist" });
 * ```
 *
 * @module
 */
export { countRows, createRow, deleteRow, findRow, listRows, pageRows, updateRow } from "../plugin_api/row_handlers.ts";
export type { LiveTable } from "../storage/columns.ts";
export type { LiveRows } from "../storage/rows/live_rows.ts";
export { ownedCount } from "../storage/rows/owned_count.ts";
export type { OwnedRows } from "../storage/rows/owned_rows.ts";
export { type ReferenceColumns, type ReferenceFilter, referencePages } from "../storage/rows/reference_pages.ts";
export type { NamedRow, Nested, Summaries } from "../storage/rows/references.ts";
export { rowErrors } from "../storage/rows/row_errors.ts";
export { type RowList, rowList } from "../storage/rows/row_list.ts";
export { rowMessage } from "../storage/rows/row_message.ts";
export {
  defineReferrers,
  type Reference,
  type Referrer,
  type Referrers,
  type SharingOptions,
  type Taker,
} from "../storage/rows/sharing.ts";
export { refuseWhenUsed, usedBy, usedInList } from "../storage/rows/uses.ts";
