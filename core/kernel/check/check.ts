import type { JsonValue } from "@bufbuild/protobuf";
import { PluginManifestSchema } from "../../../proto/installation_pb.ts";
import { satisfies, validRange } from "semver";
import { RpcError } from "../../base/errors.ts";
import { eventKindErrors } from "../../events/event_kind.ts";
import { jsonCodec } from "../../protobuf/json/codec.ts";
import { KERNEL_SCOPE } from "../../storage/kernel_tables.ts";
import { checkModules } from "./modules.ts";
import { orderPlugins } from "./order.ts";
import { virtualTableOf } from "../../storage/guard/schema_map.ts";
import { derivedOf, type Plugin, tablesOf } from "../../plugin_api/plugin.ts";
import type { PluginManifest } from "../../plugin_api/plugin_manifest.ts";
import { KERNEL_VERSION } from "../../base/version.ts";
import { StartupError } from "../../base/startup_error.ts";

/** A plugin as the installation uses it. */
export interface PluginUse {
  readonly plugin: Plugin;
  /** Its configuration in the installation manifest. */
  readonly config?: JsonValue | undefined;
  /** Its place in the manifest, for error messages, such as `plugins[3]`. */
  readonly at: string;
  /** Calls `open` of its host module; undefined if it has none, or the runtime cannot load it. */
  readonly openHost?: ((config: unknown) => object) | undefined;
}

/** A plugin that may be set up. */
export interface CheckedPlugin {
  readonly use: PluginUse;
  /** The decoded configuration. */
  readonly config: unknown;
}

const NAME = /^[a-z][a-z0-9_]*$/;
const EXTENSION_POINT = /^[a-z][a-z0-9_]*\.[a-z0-9_.]+$/;
const ROUTE = /^\/(?:[^*\s]*|[^*\s]+\/\*)$/;
const RESERVED_TABLE = /^(?:kernel|migration|sqlite)_/i;
/** What a scan reads in a few milliseconds. */
const MAX_SMALL_TABLE_ROWS = 10_000;
const manifestCodec = jsonCodec(PluginManifestSchema, { unknownFields: "refuse" });

/**
 * The first phase of a boot: checks everything that can be checked before any plugin runs.
 *
 * @returns the plugins in the order of their setup: each after those whose contracts it requires
 * @throws StartupError with one line for each error
 */
export function checkPlugins(
  all: readonly PluginUse[],
  kernelContracts: ReadonlySet<string>,
): readonly CheckedPlugin[] {
  const errors: string[] = [];
  const uses = all.filter((use) => checkLists(use, errors));
  checkManifests(uses, errors);
  checkVersions(uses, errors);
  checkModules(uses.map(({ plugin }) => plugin.manifest), errors);
  checkUnique(uses, "service", ({ manifest }) => manifest.services, errors);
  checkUnique(
    uses,
    "table",
    tablesOf,
    errors,
    new Map([...KERNEL_SCOPE.tables!].map((t) => [t, "the kernel"])),
  );
  checkReservedTables(uses, errors);
  checkShadowTables(uses, errors);
  checkDerivedTables(uses, errors);
  checkSealedColumns(uses, errors);
  checkEvents(uses, errors);
  const configs = new Map(uses.map((use) => [use.plugin, decodeConfig(use, errors)]));
  const ordered = orderPlugins(uses.map(({ plugin }) => plugin), kernelContracts, errors);
  const byPlugin = new Map(uses.map((use) => [use.plugin, use]));
  if (errors.length > 0) throw new StartupError(errors);
  return ordered.map((plugin) => ({ use: byPlugin.get(plugin)!, config: configs.get(plugin) }));
}

/** Checks the kinds of events that plugins declare. */
function checkEvents(uses: readonly PluginUse[], errors: string[]): void {
  for (const { plugin: { manifest: { name }, events = [] } } of uses) {
    errors.push(...eventKindErrors(name, events).map((error) => `plugin "${name}": ${error}`));
  }
}

/** Checks the lists that the other checks need: the contents of plugin.json are not validated yet. */
function checkLists({ plugin: { manifest }, at }: PluginUse, errors: string[]): boolean {
  const missing = (["services", "tables"] as const).filter((name) => !Array.isArray(manifest[name]));
  errors.push(...missing.map((name) => `${at}: plugin.json: ${name}: must be a list`));
  return missing.length === 0;
}

function checkManifests(uses: readonly PluginUse[], errors: string[]): void {
  const seen = new Map<string, string>();
  for (const { plugin: { manifest }, at } of uses) {
    collectError(errors, () => manifestCodec.decode(manifest, `${at}: plugin.json`));
    const { name, kernel } = manifest;
    errors.push(...declarationErrors(manifest).map((error) => `${at}: plugin.json: ${error}`));
    if (!NAME.test(name) || name === "kernel") {
      errors.push(`${at}: the plugin name "${name}" must be snake_case, and not "kernel"`);
    }
    const other = seen.get(name);
    if (other !== undefined) errors.push(`${at}: the plugin "${name}" is already used at ${other}`);
    seen.set(name, at);
    if (!satisfies(KERNEL_VERSION, kernel)) {
      errors.push(`plugin "${name}" requires kernel ${kernel}, but this is kernel ${KERNEL_VERSION}`);
    }
  }
}

/** Returns the errors in the extension points, paths and small tables that a plugin declares. */
function declarationErrors({ tables, contributes = [], routes = [], smallTables = {} }: PluginManifest): string[] {
  if (!Array.isArray(contributes) || !Array.isArray(routes)) return [];
  return [
    ...contributes.filter((id) => !EXTENSION_POINT.test(id))
      .map((id) => `contributes: "${id}" must be the id of an extension point, such as "plan.uses"`),
    ...routes.filter((route) => !ROUTE.test(route))
      .map((route) => `routes: "${route}" must be a path, such as "/explorer", or all paths below one, "/explorer/*"`),
    ...Object.keys(smallTables).filter((name) => !tables.includes(name))
      .map((name) => `smallTables: "${name}" must be one of its tables`),
    ...Object.entries(smallTables).filter(([, rows]) => rows < 1 || rows > MAX_SMALL_TABLE_ROWS)
      .map(([name, rows]) => `smallTables: "${name}" has ${rows} rows, allowed are 1 to ${MAX_SMALL_TABLE_ROWS}`),
  ];
}

/** Checks the versions of the plugins that others require. A plugin that is missing is found by its contracts. */
function checkVersions(uses: readonly PluginUse[], errors: string[]): void {
  const versions = new Map(uses.map(({ plugin: { manifest } }) => [manifest.name, manifest.version]));
  for (const { plugin: { manifest: { name, requires = {} } }, at } of uses) {
    for (const [other, range] of Object.entries(requires)) {
      const version = versions.get(other);
      if (validRange(range) === null) {
        errors.push(`${at}: plugin.json: requires.${other}: "${range}" is not a range of semantic versions`);
      } else if (version !== undefined && !satisfies(version, range)) {
        errors.push(`plugin "${name}" requires plugin "${other}" ${range}, but version ${version} is enabled`);
      }
    }
  }
}

function checkUnique(
  uses: readonly PluginUse[],
  noun: string,
  namesOf: (plugin: Plugin) => readonly string[],
  errors: string[],
  owners: Map<string, string> = new Map(),
): void {
  for (const { plugin } of uses) {
    for (const name of namesOf(plugin)) {
      const owner = owners.get(name.toLowerCase());
      if (owner !== undefined) {
        errors.push(`${noun} "${name}" belongs to ${owner} and to plugin "${plugin.manifest.name}"`);
      }
      owners.set(name.toLowerCase(), `plugin "${plugin.manifest.name}"`);
    }
  }
}

/** Checks for table names that are reserved for the kernel and for SQLite. */
function checkReservedTables(uses: readonly PluginUse[], errors: string[]): void {
  for (const { plugin } of uses) {
    for (const table of tablesOf(plugin)) {
      if (KERNEL_SCOPE.tables!.has(table) || !RESERVED_TABLE.test(table)) continue;
      errors.push(
        `plugin "${plugin.manifest.name}": the table "${table}" may not begin with kernel_, migration_ or sqlite_`,
      );
    }
  }
}

/** Checks that no plugin lists the shadow tables that SQLite keeps for the full text search of another one. */
function checkShadowTables(uses: readonly PluginUse[], errors: string[]): void {
  const owners = new Map(
    uses.flatMap(({ plugin }) => tablesOf(plugin).map((table) => [table.toLowerCase(), plugin.manifest.name] as const)),
  );
  for (const { plugin } of uses) {
    for (const table of tablesOf(plugin)) {
      const owner = owners.get(virtualTableOf(table)?.toLowerCase() ?? "");
      if (owner === undefined || owner === plugin.manifest.name) continue;
      errors.push(
        `plugin "${plugin.manifest.name}": the table "${table}" may hold the full text search of ` +
          `"${virtualTableOf(table)}", which belongs to plugin "${owner}"`,
      );
    }
  }
}

/** Checks that plugins declare sealed values of their own tables only. */
function checkSealedColumns(uses: readonly PluginUse[], errors: string[]): void {
  for (const { plugin: { manifest: { name, tables }, sealed = [] } } of uses) {
    for (const { table, column } of sealed) {
      if (tables.includes(table)) continue;
      errors.push(`plugin "${name}" declares the sealed column ${table}.${column}, but plugin.json lacks "${table}"`);
    }
  }
}

/** Checks that the lists and feeds of a plugin are of its own tables, and that its migrations make them. */
function checkDerivedTables(uses: readonly PluginUse[], errors: string[]): void {
  for (const { plugin } of uses) {
    const { manifest: { name, tables }, migrations = {} } = plugin;
    for (const { table, migration } of derivedOf(plugin)) {
      if (!tables.includes(table)) {
        errors.push(`plugin "${name}" declares a list or feed of "${table}", which is not its table`);
      }
      if (Object.values(migrations).includes(migration)) continue;
      errors.push(`plugin "${name}" declares a list or feed of "${table}", whose migration is not in its migrations`);
    }
  }
}

function decodeConfig({ plugin, config = {}, at }: PluginUse, errors: string[]): unknown {
  if (plugin.config !== undefined) {
    const codec = jsonCodec(plugin.config, { unknownFields: "refuse" });
    return collectError(errors, () => codec.decode(config, `${at}.config`));
  }
  if (typeof config !== "object" || config === null || Object.keys(config).length > 0) {
    errors.push(`${at}.config: the plugin "${plugin.manifest.name}" takes no configuration`);
  }
  return undefined;
}

function collectError<Result>(errors: string[], work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    errors.push(error.message);
    return undefined;
  }
}
