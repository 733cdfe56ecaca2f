/**
 * Edgehelm on fetch-only runtimes, imported as `edgehelm/edge`: no machine, no files, a remote database.
 *
 * @module
 */
export type { PluginUse } from "../kernel/check.ts";
export { createFetch, type EdgeContext, type EdgeFetch } from "./create_fetch.ts";
export { type EdgeInstallation, type EdgeOptions, type EdgeVariables, fromVariables } from "./options.ts";
