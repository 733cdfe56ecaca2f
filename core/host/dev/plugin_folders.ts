import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { packageFolder } from "../load/resolve_plugin.ts";
import { ROOT, type Settings } from "../settings/settings.ts";
import type { WatchedFiles } from "./file_changes.ts";

/**
 * Returns the files whose changes concern an installation: those of its plugins, modules that they import, and the
 * manifest. Installed packages are left out, unless they are links to a folder of a project.
 *
 * @param imported the paths of imported modules
 */
export function watchedFiles(settings: Settings, imported: readonly string[]): WatchedFiles {
  const { manifestPath, dataDirectory } = settings;
  const places = settings.plugins.filter(({ disabled }) => !disabled).map(({ use }) => placeOf(use, manifestPath));
  const roots = places.filter((place) => place !== undefined && existsSync(place)).map((place) => realpathSync(place!))
    .filter((folder) => !folder.includes(`${sep}node_modules${sep}`));
  const missing = places.filter((place) => place !== undefined && !existsSync(place)).map((place) => dirname(place!));
  const others = imported.filter((path) => !roots.some((root) => path.startsWith(root + sep)));
  const files = [manifestPath, ...others];
  return {
    roots: [...new Set(roots)],
    files,
    besides: [...new Set([...files.map((path) => dirname(path)), ...missing])].filter((folder) => existsSync(folder)),
    isIgnored: (folder) => folder === dataDirectory,
  };
}

/** Returns the folder of a plugin, which may not exist. */
function placeOf(use: string, manifestPath: string): string | undefined {
  if (/^[a-z][a-z0-9_]*$/.test(use)) return join(ROOT, "plugins", use);
  if (/^\.{0,2}\//.test(use)) return resolve(dirname(manifestPath), use);
  const [, name] = /^(?:npm:)((?:@[^/@]+\/)?[^/@]+)/.exec(use) ?? [];
  return name && packageFolder(name, [dirname(manifestPath), ROOT]);
}
