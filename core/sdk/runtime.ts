/**
 * Reaches what surrounds a plugin: the operator's commands, the first start, the machine, metrics and the version.
 *
 * A plugin extends the command line with `Commands` and takes part in an installation's first start with `FirstStart`. Code
 * that needs a machine (files, processes, native packages) lives in the host module that plugin.json names; the plugin
 * declares its type with `hostPart` and gets it as `host`, or undefined on edge runtimes. The types of `definePlugin`'s
 * argument are here, too, and `errorText`, which formats whatever was thrown for the log.
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { definePlugin } from "edgehelm";
 * import { Commands } from "edgehelm/runtime";
 * import { testKernel } from "edgehelm/testing";
 *
 * const plugin = definePlugin({
 *   manifest: {
 *     ...{ name: "greeter", version: "1.0.0", kernel: "^1", services: [], tables: [] },
 *     ...{ contributes: ["kernel.commands"], routes: ["/greeting"] },
 *   },
 *   setup({ contribute, route, metrics }) {
 *     const greetings = metrics.counter("greetings_total", "Greetings");
 *     route("/greeting", () => {
 *       greetings.add(1);
 *       return new Response("hello\n");
 *     });
 *     contribute(Commands, {
 *       name: "greeter greet",
 *       usage: "greeter greet <name>: greets someone",
 *       run: (_call, [name = "world"]) => Promise.resolve([`hello, ${name}`]),
 *     });
 *   },
 * });
 *
 * await using edgehelm = await testKernel({ plugins: [plugin] });
 * const { kernel } = edgehelm;
 * const command = kernel.commands.find(({ name }) => name === "greeter greet");
 * deepEqual(await command?.run(kernel.systemCall("greet"), ["Ada"]), ["hello, Ada"]);
 * deepEqual(await (await edgehelm.fetch(new Request("http://localhost/greeting"))).text(), "hello\n");
 * ```
 *
 * @module
 */
export type { Timers } from "../base/clock.ts";
export type { DeclaredError, ErrorKind } from "../base/errors.ts";
export { type Gate, gate } from "../base/gate.ts";
export {
  defineEvent,
  type EventKind,
  type EventLevel,
  type EventSpec,
  type EventText,
  type EventTexts,
} from "../events/event_kind.ts";
export { eventText } from "../events/event_text.ts";
export { type EmittedEvent, type EventListener, EventListeners, Events } from "../events/events.ts";
export { errorText, type LogFields } from "../base/log.ts";
export type { Metadata, RequestMetadata, ResponseMetadata } from "../base/metadata.ts";
export type { Counter, PluginMetrics } from "../base/metrics.ts";
export type { OutboundConnection, OutboundInit, OutboundTarget, OutboundTls } from "../base/outbound.ts";
export { nextTurn } from "../base/turn.ts";
export { PROGRAM_VERSION } from "../base/version.ts";
export {
  type ChosenAccessKey,
  type Command,
  Commands,
  FirstStart,
  type FirstStartTask,
} from "../plugin_api/extension_points.ts";
export { type HostContext, type HostPart, hostPart, type OpenHost } from "../plugin_api/host_part.ts";
export type { ServeOptions } from "../plugin_api/handlers.ts";
export { type ByteSums, byteSums } from "../plugin_api/byte_sums.ts";
export { keptPage } from "../plugin_api/kept_page.ts";
export type { AuditCheckResult } from "../calls/audit/audit_check.ts";
export type { AuditSettings } from "../calls/audit/audit.ts";
export { AUDIT_LEVELS, type AuditFilter, type AuditLevel } from "../calls/audit/audit_list.ts";
export { AuditLog, type AuditRecord, type ErasedBatch } from "../kernel/audit_log.ts";
export {
  type InspectedBackups,
  type InspectedFailure,
  type InspectedJob,
  type InspectedPlugin,
  Inspection,
} from "../kernel/inspection.ts";
export type { OperationErrors } from "../kernel/served/operation_errors.ts";
export { ServedApi, type ServedOperation } from "../kernel/served/served_api.ts";
export type { Comments, CommentsModule, FetchHandler, PluginSpec, ReceiveHandler } from "../plugin_api/plugin.ts";
export type { PluginManifest } from "../plugin_api/plugin_manifest.ts";
