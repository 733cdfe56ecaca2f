import { parseArgs } from "node:util";
import { callersText, type Operation } from "../../calls/operation.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Plugin } from "../../plugin_api/plugin.ts";
import { formatOf, formatted } from "../api_cli/output.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { isPackage } from "../load/resolve_plugin.ts";
import type { Settings } from "../settings/settings.ts";
import type { ManifestEntry } from "./manifest_file.ts";
import { rowsText, type StoredRows, storedRows, tableText } from "./stored_rows.ts";
import { trialBoot } from "./trial_boot.ts";

/** A plugin of an installation, as JSON and YAML show it. */
interface ListedPlugin {
  readonly use: string;
  readonly source: "built-in" | "folder" | "package";
  readonly state: "enabled" | "disabled";
  /** Absent if a disabled plugin cannot be loaded, as all that follows. */
  readonly name?: string;
  readonly version?: string;
  readonly tables?: readonly string[];
  /** The numbers of rows by table; absent if the database cannot be read. */
  readonly rows?: Readonly<Record<string, number>>;
  readonly services?: readonly { readonly name: string; readonly operations: readonly ListedOperation[] }[];
}

interface ListedOperation {
  readonly path: string;
  readonly effect: string;
  readonly callers: string;
}

/** A plugin, and its operations if it runs. */
interface FoundPlugin {
  readonly entry: ManifestEntry;
  readonly plugin?: Plugin;
  readonly services?: ListedPlugin["services"];
}

/**
 * Lists the plugins of an installation with their versions, tables, rows and operations, and then the disabled ones.
 *
 * @param args `--output json` or `--output yaml` for other programs
 */
export async function pluginList(settings: Settings, args: readonly string[] = []): Promise<string[]> {
  const { values: { output } } = parseArgs({ args: [...args], options: { output: { type: "string", short: "o" } } });
  const format = formatOf(output ?? "table");
  const found = [...await enabledPlugins(settings), ...await disabledPlugins(settings)];
  const rows = await storedRows(settings, found.flatMap(({ plugin }) => plugin?.manifest.tables ?? []));
  const listed = found.map((one) => listedPlugin(one, rows));
  if (format !== "table") return [await formatted({ plugins: listed }, format)];
  return [
    ...listed.flatMap((one) => linesOf(one, rows)),
    ...rows.missing === undefined ? [] : [`rows are not shown: ${rows.missing}`],
  ];
}

async function enabledPlugins(settings: Settings): Promise<FoundPlugin[]> {
  const enabled = settings.plugins.filter((entry) => !entry.disabled);
  return await trialBoot(settings, (plugins, kernel) => {
    const operations = operationsOf(kernel);
    return plugins.map(({ plugin }, index) => ({
      ...{ entry: enabled[index]!, plugin },
      services: plugin.manifest.services.map((name) => ({ name, operations: operations.get(name) ?? [] })),
    }));
  });
}

async function disabledPlugins(settings: Settings): Promise<FoundPlugin[]> {
  const disabled = settings.plugins.filter((entry) => entry.disabled);
  return await Promise.all(disabled.map(async (entry) => {
    // its package may be gone, which is no problem as long as it is disabled
    const loaded = await loadPlugins({ ...settings, plugins: [{ ...entry, disabled: false }] }).catch(() => []);
    const [use] = loaded;
    return use === undefined ? { entry } : { entry, plugin: use.plugin };
  }));
}

function operationsOf(kernel: Kernel): ReadonlyMap<string, readonly ListedOperation[]> {
  const byService = Map.groupBy(kernel.operations.all, ({ method }) => method.parent.name);
  return new Map([...byService].map(([name, operations]) => [name, operations.map(listedOperation)]));
}

function listedOperation(operation: Operation): ListedOperation {
  return { path: operation.path, effect: operation.effect, callers: callersText(operation) };
}

function listedPlugin(
  { entry: { use, disabled }, plugin, services }: FoundPlugin,
  { counts }: StoredRows,
): ListedPlugin {
  const source = isPackage(use) ? "package" : /^\.{0,2}\//.test(use) ? "folder" : "built-in";
  const listed = { use, source, state: disabled ? "disabled" : "enabled" } as const;
  if (plugin === undefined) return listed;
  const { name, version, tables } = plugin.manifest;
  const known = tables.flatMap((table) => counts?.has(table) ? [[table, counts.get(table)!] as const] : []);
  return {
    ...{ ...listed, name, version, tables },
    ...counts !== undefined && { rows: Object.fromEntries(known) },
    ...services !== undefined && { services },
  };
}

function linesOf(plugin: ListedPlugin, stored: StoredRows): string[] {
  const { use, source, state, name, version, tables = [], rows, services = [] } = plugin;
  const from = source === "built-in" ? source : `${source} ${use}`;
  if (name === undefined) return [`${use}; ${state}; ${from}; it cannot be loaded`];
  // migrations may have dropped a table, or not have made it yet
  const existing = rows === undefined ? tables : Object.keys(rows);
  const shown = existing.map((table) => tableText(table, stored)).join(", ") ||
    (tables.length > 0 ? "none yet" : "none");
  const sum = Object.values(rows ?? {}).reduce((total, count) => total + count, 0);
  const total = rows === undefined || existing.length < 2 ? "" : `; ${rowsText(sum)}`;
  return [
    `${name} ${version}; ${state}; ${from}; tables: ${shown}${total}`,
    ...services.flatMap((service) => [`  ${service.name}`, ...service.operations.map(operationLine)]),
  ];
}

function operationLine({ path, effect, callers }: ListedOperation): string {
  return `    ${path.split("/")[2]!.padEnd(44)} ${effect.padEnd(8)} ${callers}`;
}
