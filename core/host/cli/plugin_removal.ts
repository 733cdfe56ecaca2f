import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { StartupError } from "../../base/startup_error.ts";
import { GONE_MILLISECONDS } from "../../jobs/instances.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import { type Plugin, tablesOf } from "../../plugin_api/plugin.ts";
import type { StorageEngine } from "../../storage/engine.ts";
import { deleteOwned } from "../../storage/migrate/delete_owned.ts";
import { openRemoteEngine } from "../../storage/remote/engine.ts";
import { existingTables, rowCounts } from "../../storage/row_counts.ts";
import { askConsent } from "../api_cli/consent.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { localPath } from "../settings/database_path.ts";
import { exists } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { DatabaseIdentity } from "../sqlite/database_identity.ts";
import { openLocalEngine } from "../sqlite/engine.ts";
import { enabledEntry, keptTables, nameIn, RESTART } from "./manifest_edit.ts";
import { type ManifestEntry, requireBoot, save, writeEntries } from "./manifest_file.ts";
import { rowsText } from "./stored_rows.ts";

/** A plugin, and the list of a manifest without it. */
interface Removal {
  readonly plugin: Plugin;
  readonly rest: readonly ManifestEntry[];
  /** False if the manifest does not name it, so that only its data is there. */
  readonly isListed: boolean;
}

const USAGE = "usage: plugin remove <name> [--delete-data [--yes]]";

/**
 * Removes a plugin from the installation manifest, if the others boot without it. Its data is kept, unless
 * `--delete-data` asks for more.
 *
 * @param args the name of the plugin or what `use` is in the manifest, and the flags
 * @returns lines for the operator
 * @throws StartupError that names the plugins that require it; the manifest and the data are then unchanged
 */
export async function removePlugin(settings: Settings, args: readonly string[]): Promise<string[]> {
  const { positionals: [name, ...others], values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { "delete-data": { type: "boolean" }, yes: { type: "boolean", short: "y" } },
  });
  if (name === undefined || others.length > 0) throw new StartupError(USAGE);
  const removal = await removalOf(settings, name, values["delete-data"] === true);
  if (values["delete-data"] === true) return await removeWithData(settings, removal, values.yes === true);
  const { plugin, rest } = removal;
  await save(settings, rest);
  const kept = await keptTables(settings, plugin);
  const use = settings.plugins.find((entry) => !rest.includes(entry))!.use;
  return [
    `removed ${plugin.manifest.name}; ${kept}`,
    ...!kept.startsWith("its tables are kept") ? [] : [`to delete them as well: plugin remove ${use} --delete-data`],
    RESTART,
  ];
}

async function removalOf(settings: Settings, name: string, alsoUnlisted: boolean): Promise<Removal> {
  const { plugins } = settings;
  const disabled = plugins.findIndex((entry) => entry.disabled && (entry.use === name || nameIn(entry.use) === name));
  if (disabled >= 0) {
    const plugin = await loaded(settings, { ...plugins[disabled]!, disabled: false });
    return { plugin, rest: plugins.toSpliced(disabled, 1), isListed: true };
  }
  const listed = plugins.findIndex((entry) => entry.use === name);
  if (listed >= 0) {
    return { plugin: await loaded(settings, plugins[listed]!), rest: plugins.toSpliced(listed, 1), isListed: true };
  }
  try {
    const { plugin, index } = await enabledEntry(settings, name);
    return { plugin, rest: plugins.toSpliced(index, 1), isListed: true };
  } catch (error) {
    if (!alsoUnlisted) throw error;
    // it may have been removed without its data
    const entry = { use: name, config: undefined, disabled: false };
    const plugin = await loaded(settings, entry).catch(() => undefined);
    if (plugin === undefined) throw error;
    return { plugin, rest: plugins, isListed: false };
  }
}

async function loaded(settings: Settings, entry: ManifestEntry): Promise<Plugin> {
  const [use] = await loadPlugins({ ...settings, plugins: [entry] });
  return use!.plugin;
}

/** Deletes the data of a plugin after the manifest no longer names it; if that fails, the manifest is as before. */
async function removeWithData(settings: Settings, removal: Removal, isAgreed: boolean): Promise<string[]> {
  const { plugin, rest, isListed } = removal;
  const { manifest: { name, services, host } } = plugin;
  requireUnshared(plugin, await requireBoot(settings, rest));
  await using database = await openExclusively(settings);
  if (database === undefined) {
    if (isListed) await writeEntries(settings, rest);
    return [`removed ${name}; there is no database yet, and so no data`, RESTART];
  }
  const tables = [...await existingOf(database.engine, tablesOf(plugin))];
  if (!isListed && tables.length === 0) return [`the database has no data of ${name}`];
  const counts = await rowCounts(database.engine.reader, plugin.manifest.tables);
  const lines = [...counts].map(([table, count]) => `  ${table}: ${rowsText(count)}`);
  const derived = tables.length - counts.size;
  if (derived > 0) lines.push(`  what is derived from them: ${derived} ${derived === 1 ? "table" : "tables"}`);
  if (isListed) lines.push("  its settings in the manifest");
  lines.push("  the record of its migrations");
  for (const line of [`removes ${name}, and deletes:`, ...lines]) console.log(line);
  if (!isAgreed) await requireConsent();
  const revert = isListed ? await writeEntries(settings, rest) : () => Promise.resolve();
  try {
    await deleteOwned(database.engine, { owner: name, tables, services });
  } catch (error) {
    await revert();
    throw error;
  }
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [
    `removed ${name}; deleted ${counts.size} ${counts.size === 1 ? "table" : "tables"} with ${rowsText(rows)}`,
    ...host === undefined ? [] : [`files that ${name} may have written into ${settings.dataDirectory} are not deleted`],
    ...isListed ? ["plugin undo returns to the earlier list, but not to the data"] : [],
  ];
}

/** @throws StartupError if a plugin that stays has one of the tables, such as the successor of the plugin */
function requireUnshared(plugin: Plugin, others: readonly PluginUse[]): void {
  const own = new Set(tablesOf(plugin));
  const errors = others.flatMap(({ plugin: other }) =>
    other.manifest.name === plugin.manifest.name
      ? [`plugin "${plugin.manifest.name}" is in the manifest twice: remove the other one first`]
      : tablesOf(other).filter((table) => own.has(table))
        .map((table) => `plugin "${other.manifest.name}" has the table "${table}" too, so its data must stay`)
  );
  if (errors.length > 0) throw new StartupError(errors);
}

async function requireConsent(): Promise<void> {
  const isWanted = await askConsent("delete?");
  if (isWanted === undefined) throw new StartupError("there is no terminal to ask; --yes deletes without asking");
  if (!isWanted) throw new StartupError("nothing was removed or deleted");
}

async function existingOf(engine: StorageEngine, tables: readonly string[]): Promise<readonly string[]> {
  const existing = await existingTables(engine.reader);
  return tables.filter((table) => existing.has(table));
}

/**
 * Opens the database that no server may use meanwhile.
 *
 * @returns undefined if it does not exist yet
 * @throws StartupError that names who uses it
 */
async function openExclusively(
  settings: Settings,
): Promise<{ readonly engine: StorageEngine } & AsyncDisposable | undefined> {
  const { database: { url, token } } = settings;
  const path = localPath(settings);
  if (path !== undefined && !await exists(path)) return undefined;
  const engine = path === undefined
    ? await openRemoteEngine({ url, token })
    : await openLocalEngine({ path, identity: new DatabaseIdentity({ dataDirectory: settings.dataDirectory, path }) });
  try {
    if (path === undefined) await requireNoInstances(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { engine, [Symbol.asyncDispose]: () => engine.close() };
}

async function requireNoInstances(engine: StorageEngine): Promise<void> {
  if ((await existingOf(engine, ["kernel_instances"])).length === 0) return;
  const since = BigInt(Math.floor(systemClock.now()) - GONE_MILLISECONDS);
  const sql = "select version, runtime from kernel_instances where seenAt > ?";
  const { rows } = await engine.reader.run({ sql, scope: { owner: "kernel", tables: undefined } }, [since]);
  if (rows.length === 0) return;
  const shown = rows.map(([version, runtime]) => `Edgehelm ${version} on ${runtime}`).join(", ");
  throw new StartupError(
    `the database is used by ${shown}; stop what runs first, and wait three minutes after a crash`,
  );
}
