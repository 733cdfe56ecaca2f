/**
 * The public interface for plugins, imported as `edgehelm`: what every plugin uses. More is in `edgehelm/rows`,
 * `edgehelm/fields`, `edgehelm/storage`, `edgehelm/wire`, `edgehelm/auth` and `edgehelm/runtime`; `edgehelm/testing` tests a plugin. Anything
 * that these do not export may change at any time.
 *
 * A plugin is a folder with a plugin.json and a plugin.ts, which exports the value of `definePlugin`. In its setup it
 * serves services with handlers, provides contracts for other plugins, contributes to their extension points, and
 * registers background jobs. It reaches its own tables through `db`, and other plugins only through their contracts.
 *
 * @example
 * ```ts
 * import { deepEqual, rejects } from "node:assert/strict";
 * import { type Call, type Db, defineErrors, definePlugin, isLive, liveRows, textField } from "edgehelm";
 * import { testKernel } from "edgehelm/testing";
 * import { type Generated, type Kysely, sql } from "kysely";
 *
 * // errors.ts: what can go wrong, with a reason that clients can tell apart
 * const errors = defineErrors("notes", { not_found: ["not_found", (id: bigint) => `note ${id} does not exist`] });
 *
 * // store.ts: the tables of the plugin and all its statements
 * interface Tables {
 *   notes: { id: Generated<bigint>; text: string; state: Generated<bigint> };
 * }
 *
 * function noteStore(db: Db<Tables>) {
 *   return {
 *     ...liveRows(db, "notes", errors.not_found),
 *     insert: db.query((q, p: { text: string }) => q.insertInto("notes").values({ text: p.text }).returning("id")),
 *     all: db.query((q) => q.selectFrom("notes").select(["id", "text"]).where(isLive).orderBy("id")),
 *   };
 * }
 *
 * // handlers.ts: checks of the request, then statements; a handler that writes is one transaction
 * async function createNote(notes: ReturnType<typeof noteStore>, call: Call, request: { text: string }) {
 *   const text = textField("text", request.text, { min: 1, max: 1000 });
 *   return { noteId: (await notes.insert.one(call, { text })).id };
 * }
 *
 * // plugin.ts: how the parts are wired together
 * let notes!: ReturnType<typeof noteStore>;
 * const plugin = definePlugin({
 *   manifest: { name: "notes", version: "1.0.0", kernel: "^1", services: [], tables: ["notes"] },
 *   migrations: {
 *     "0001_create_notes": {
 *       up: async (db: Kysely<never>) =>
 *         void await sql`create table notes (id integer primary key, text text not null,
 *           state integer not null default 1) strict`.execute(db),
 *     },
 *   },
 *   setup({ db }) {
 *     notes = noteStore(db<Tables>());
 *   },
 * });
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const call = edgehelm.kernel.systemCall("example");
 * await call.transact((inner) => createNote(notes, inner, { text: " bread " }));
 * deepEqual(await notes.all.all(call, {}), [{ id: 1n, text: "bread" }]);
 * await rejects(createNote(notes, call, { text: "" }), { message: "text: must not be empty" });
 * ```
 *
 * @module
 */
export { type Call, callerId } from "./base/call.ts";
export { type Clock, unixSeconds } from "./base/clock.ts";
export { type Contract, defineContract, defineExtensionPoint, type ExtensionPoint, optional } from "./base/contract.ts";
export { distinct } from "./base/distinct.ts";
export { defineErrors, invalid, kernelErrors, RpcError } from "./base/errors.ts";
export type { Logger } from "./base/log.ts";
export { choiceField, idField, listField, textField } from "./fields/fields.ts";
export { numberField } from "./fields/number_fields.ts";
export { mayAccessOwner, onlyOwned, ownerOf, requireOwned } from "./fields/ownership.ts";
export { type Page, pageOf } from "./fields/page.ts";
export type { Handlers } from "./plugin_api/handlers.ts";
export { definePlugin, type Job, type Plugin, type Setup } from "./plugin_api/plugin.ts";
export { jsonBytes, jsonField } from "./protobuf/json/json_field.ts";
export type { DefaultFlag, Flag } from "./storage/columns.ts";
export type { Db } from "./storage/database.ts";
export { liveRows } from "./storage/rows/live_rows.ts";
export { ownedRows } from "./storage/rows/owned_rows.ts";
export { anyOf } from "./storage/parameters.ts";
export type { References } from "./storage/rows/references.ts";
export { isLive, rowCount } from "./storage/rows/selections.ts";
export { defineUses, type UseCheck, type Uses } from "./storage/rows/uses.ts";
