/**
 * Serves an installation on edge runtimes, which have no file system, from a remote database. Imported as
 * `edgehelm/edge`.
 *
 * @module
 */
export type { PluginUse } from "../kernel/check/check.ts";
export { createFetch, type EdgeContext, type EdgeFetch } from "./create_fetch.ts";
export { type EdgeInstallation, type EdgeOptions, type EdgeVariables, fromVariables } from "./options.ts";
