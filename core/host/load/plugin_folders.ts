import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { resolvePlugin } from "./resolve_plugin.ts";

/** Returns the folders of the enabled plugins with their names; those that cannot be found are left out. */
export function pluginFolders(
  { plugins, manifestPath }: Pick<Settings, "plugins" | "manifestPath">,
): [string, string][] {
  return plugins.filter(({ disabled }) => !disabled).flatMap(({ use }): [string, string][] => {
    try {
      const { folder } = resolvePlugin(use, manifestPath);
      return [[folder, String(JSON.parse(readFileSync(join(folder, "plugin.json"), "utf8")).name)]];
    } catch {
      return [];
    }
  });
}
