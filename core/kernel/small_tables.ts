import type { Logger } from "../base/log.ts";
import type { PluginManifest } from "../plugin_api/plugin_manifest.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { rowCounts } from "../storage/row_counts.ts";

/** Logs a warning for each table that is declared small and has more rows than its declaration says. */
export async function warnOfGrownTables(
  manifests: readonly PluginManifest[],
  { reader }: Pick<StorageEngine, "reader">,
  log: Logger,
): Promise<void> {
  const declared = manifests.flatMap(({ name, smallTables = {} }) =>
    Object.entries(smallTables).map(([table, maximum]) => ({ plugin: name, table, maximum }))
  );
  if (declared.length === 0) return;
  const counts = await rowCounts(reader, declared.map(({ table }) => table));
  for (const { plugin, table, maximum } of declared) {
    const rows = counts.get(table) ?? 0;
    if (rows > maximum) {
      log.warn("table is larger than smallTables of plugin.json says", { plugin, table, rows, maximum });
    }
  }
}
