import { parseArgs } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { providerOf } from "../../base/contract.ts";
import { StartupError } from "../../base/startup_error.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import { type Plugin, tablesOf } from "../../plugin_api/plugin.ts";
import { type AcceptedPackage, packageContent } from "../load/integrity.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { isPackage, resolvePlugin } from "../load/resolve_plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { save } from "./manifest_file.ts";
import { storedRows, tableText } from "./stored_rows.ts";

export const RESTART =
  "restart the server for the change to take effect, or return to the earlier list with: plugin undo";

/**
 * Adds a plugin to the end of the installation manifest, if the installation boots with it.
 *
 * @param args what `use` is to be, and `--config` with the settings of the plugin as JSON
 * @returns lines for the operator
 * @throws StartupError with everything that would stop a start; the manifest is then unchanged
 */
export async function addPlugin(settings: Settings, args: readonly string[]): Promise<string[]> {
  const { positionals: [use], values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { config: { type: "string" } },
  });
  if (use === undefined) throw new StartupError("usage: plugin add <name, ./folder or npm:package> [--config <json>]");
  if (settings.plugins.some((entry) => entry.use === use)) {
    throw new StartupError(`"${use}" is already in the manifest`);
  }
  const config = values.config === undefined ? undefined : configOf(values.config);
  const accepted = await acceptedOf(settings, use);
  const plugins = await save(settings, [...settings.plugins, { use, config, disabled: false, accepted }]);
  const { plugin } = plugins.at(-1)!;
  const { name, version } = plugin.manifest;
  return [`added ${name} ${version}; tables: ${tablesOf(plugin).join(", ") || "none"}`, RESTART];
}

/**
 * Accepts what a package contains now, or another version of it, if the installation boots with it.
 *
 * @param args the name of the plugin or what `use` is in the manifest, and optionally what `use` is to be
 * @returns lines for the operator
 * @throws StartupError with everything that would stop a start; the manifest is then unchanged
 */
export async function updatePlugin(settings: Settings, [name = "", use]: readonly string[]): Promise<string[]> {
  const index = settings.plugins.findIndex((entry) => entry.use === name || nameIn(entry.use) === name);
  const entry = settings.plugins[index < 0 ? await placeOf(settings, name) : index]!;
  const next = use ?? entry.use;
  const accepted = await acceptedOf(settings, next);
  if (accepted === undefined) {
    throw new StartupError(`"${next}" is no package: folders and built-in plugins run as they are at each start`);
  }
  const place = settings.plugins.indexOf(entry);
  const plugins = await save(settings, settings.plugins.with(place, { ...entry, use: next, accepted }));
  const shown = entry.accepted === undefined ? "" : ` from ${entry.accepted.version}`;
  const updated = plugins.find(({ at }) => at === `plugins[${place}]`);
  const migrations = Object.keys(updated?.plugin.migrations ?? {});
  return [
    `updated ${next}${shown} to ${accepted.version}`,
    migrations.length === 0
      ? "it has no migrations"
      : `migrations, of which the next start runs the new ones: ${migrations.join(", ")}`,
    RESTART,
  ];
}

/** Finds the place in the manifest of the plugin of that name, whatever its package contains. */
async function placeOf(settings: Settings, name: string): Promise<number> {
  const plugins = settings.plugins.map((entry) => ({ ...entry, accepted: undefined }));
  return (await enabledEntry({ ...settings, plugins }, name)).index;
}

/** Returns what a package contains; undefined for folders and built-in plugins. */
async function acceptedOf({ manifestPath }: Settings, use: string): Promise<AcceptedPackage | undefined> {
  return isPackage(use) ? await packageContent(resolvePlugin(use, manifestPath).folder) : undefined;
}

/**
 * Disables a plugin, if the others boot without it. It stays in the manifest with its settings, and its data is kept.
 *
 * @returns lines for the operator
 * @throws StartupError that names the plugins that require it; the manifest is then unchanged
 */
export async function disablePlugin(settings: Settings, name: string): Promise<string[]> {
  const { plugin, index } = await enabledEntry(settings, name);
  await save(settings, settings.plugins.with(index, { ...settings.plugins[index]!, disabled: true }));
  return [`disabled ${name}; ${await keptTables(settings, plugin)}`, RESTART];
}

/**
 * Enables a plugin that was disabled, with the settings that it had, if the installation boots with it.
 *
 * @param name the name of the plugin, or what `use` is in the manifest
 * @returns lines for the operator
 * @throws StartupError with everything that would stop a start; the manifest is then unchanged
 */
export async function enablePlugin(settings: Settings, name: string): Promise<string[]> {
  const index = settings.plugins.findIndex(({ use, disabled }) => disabled && (use === name || nameIn(use) === name));
  if (index < 0) {
    const names = settings.plugins.filter(({ disabled }) => disabled).map(({ use }) => use).join(", ") || "none";
    throw new StartupError(`plugin "${name}" is not disabled; disabled plugins: ${names}`);
  }
  await save(settings, settings.plugins.with(index, { ...settings.plugins[index]!, disabled: false }));
  return [`enabled ${name}`, RESTART];
}

/** Returns the name in `npm:@acme/notes@^1`, `./plugins/notes` or `notes`. */
export function nameIn(use: string): string {
  return use.replace(/^(npm|jsr):/, "").replace(/(?<=.)@[^/]*$/, "").split("/").at(-1)!;
}

/** @throws StartupError if the text is not a JSON object */
function configOf(text: string): JsonObject {
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (cause) {
    throw new StartupError(`--config: ${(cause as Error).message}`, { cause });
  }
  if (typeof config === "object" && config !== null && !Array.isArray(config)) return config as JsonObject;
  throw new StartupError(`--config: must be a JSON object, got ${text}`);
}

/** Finds an enabled plugin and its place in the manifest. */
export async function enabledEntry(settings: Settings, name: string): Promise<{ plugin: Plugin; index: number }> {
  const loaded = await loadPlugins(settings);
  const { plugin } = loaded[requireEnabled(loaded, name)]!;
  const places = settings.plugins.flatMap(({ disabled }, index) => disabled ? [] : [index]);
  return { plugin, index: places[requireEnabled(loaded, name)]! };
}

/** Returns the tables of a plugin that stay, with their numbers of rows. */
export async function keptTables(settings: Settings, plugin: Plugin): Promise<string> {
  const { tables } = plugin.manifest;
  if (tables.length === 0) return "it has no tables";
  const rows = await storedRows(settings, tables);
  const existing = tables.filter((table) => rows.counts?.has(table) ?? true);
  if (existing.length === 0) return "its tables were not made yet";
  return `its tables are kept: ${existing.map((table) => tableText(table, rows)).join(", ")}`;
}

/** Returns what a plugin requires, and which plugins require or use it. */
export async function whyPlugin(settings: Settings, name: string): Promise<string[]> {
  const loaded = await loadPlugins(settings);
  const { plugin } = loaded[requireEnabled(loaded, name)]!;
  const usersOf = (isOptional: boolean) =>
    loaded.filter(({ plugin: other }) => providersOf(other, isOptional).includes(name))
      .map(({ plugin: other }) => other.manifest.name);
  const enabled = new Set(loaded.map(({ plugin: other }) => other.manifest.name));
  const list = (names: readonly string[]) => names.filter((one) => enabled.has(one)).join(", ") || "none";
  return [
    `required by: ${list(usersOf(false))}`,
    `used if enabled by: ${list(usersOf(true))}`,
    `requires: ${list(providersOf(plugin, false))}`,
    `uses if enabled: ${list(providersOf(plugin, true))}`,
  ];
}

/** Returns the names of the plugins whose contracts a plugin requires, or uses if they are enabled. */
function providersOf({ requires }: Plugin, isOptional: boolean): string[] {
  const contracts = Object.values(requires ?? {}).filter(({ optional }) => (optional === true) === isOptional);
  return [...new Set(contracts.map(providerOf))];
}

function requireEnabled(loaded: readonly PluginUse[], name: string): number {
  const index = loaded.findIndex(({ plugin }) => plugin.manifest.name === name);
  if (index >= 0) return index;
  const names = loaded.map(({ plugin }) => plugin.manifest.name).join(", ");
  throw new StartupError(`plugin "${name}" is not enabled; enabled plugins: ${names}`);
}
