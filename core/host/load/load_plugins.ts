import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemTimers } from "../../base/clock.ts";
import { limited } from "../../base/limited.ts";
import { errorText } from "../../base/log.ts";
import type { PluginManifest } from "../../plugin_api/plugin_manifest.ts";
import type { FailedPlugin } from "../../kernel/degradation.ts";
import type { PluginUse } from "../../kernel/check/check.ts";
import type { HostContext } from "../../plugin_api/host_part.ts";
import type { Plugin } from "../../plugin_api/plugin.ts";
import { StartupError } from "../../base/startup_error.ts";
import { requireAccepted } from "./integrity.ts";
import { type PluginLocation, resolvePlugin } from "./resolve_plugin.ts";
import { errorMessage } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { shareModulesWith } from "./shared_modules.ts";

/**
 * Imports the plugins of an installation that are not disabled.
 *
 * @param describe returns the text for what an import threw
 * @param onFailure called with a plugin that cannot be imported, which is left out; without it, the start is refused
 * @throws StartupError that lists every plugin that cannot be loaded
 */
export async function loadPlugins(
  { plugins, manifestPath, dataDirectory, limits }: Pick<
    Settings,
    "plugins" | "manifestPath" | "dataDirectory" | "limits"
  >,
  describe: (error: unknown) => string | Promise<string> = errorMessage,
  onFailure?: (failed: FailedPlugin) => void,
): Promise<PluginUse[]> {
  const errors: string[] = [];
  const loaded = await Promise.all(plugins.map(async ({ use, config, disabled, accepted }, index) => {
    if (disabled) return undefined;
    const at = `plugins[${index}]`;
    try {
      const location = resolvePlugin(use, manifestPath);
      await requireAccepted(use, location, accepted);
      try {
        const imported = importBoth(location, { dataDirectory });
        return {
          config,
          at,
          ...await limited(
            imported,
            limits.pluginStartSeconds * 1000,
            systemTimers,
            () => new Error(`its import took more than ${limits.pluginStartSeconds} s`),
          ),
        };
      } catch (error) {
        const manifest = onFailure && await readManifest(location);
        if (manifest === undefined) throw error;
        onFailure!({ manifest, error: `cannot be imported: ${errorText(error)}` });
        return undefined;
      }
    } catch (error) {
      const messages = error instanceof StartupError ? error.errors : [`${use}: ${await describe(error)}`];
      errors.push(...messages.map((message) => `${at}: ${message}`));
      return undefined;
    }
  }));
  if (errors.length > 0) throw new StartupError(errors);
  return loaded.filter((plugin) => plugin !== undefined);
}

async function importBoth(location: PluginLocation, context: HostContext) {
  return { plugin: await importPlugin(location), openHost: await importHost(location, context) };
}

/** Returns what plugin.json declares, by which the installation knows what a plugin that cannot be imported would do. */
async function readManifest({ folder }: PluginLocation): Promise<PluginManifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, "plugin.json"), "utf8"));
    const isUsable = typeof manifest.name === "string" && Array.isArray(manifest.services) &&
      Array.isArray(manifest.tables) && Array.isArray(manifest.contributes ?? []);
    return isUsable ? manifest : undefined;
  } catch {
    return undefined;
  }
}

export async function importPlugin({ module }: PluginLocation): Promise<Plugin> {
  const { href } = pathToFileURL(module);
  shareModulesWith(href);
  const { default: plugin } = await import(href);
  if (typeof plugin?.setup !== "function" || typeof plugin.manifest?.name !== "string") {
    throw new StartupError(`${module} must have a default export created by definePlugin`);
  }
  return plugin;
}

async function importHost({ folder }: PluginLocation, context: HostContext): Promise<PluginUse["openHost"]> {
  const { host } = JSON.parse(await readFile(join(folder, "plugin.json"), "utf8"));
  if (host === undefined) return undefined;
  const { open } = await import(pathToFileURL(join(folder, host)).href);
  if (typeof open !== "function") throw new StartupError(`${join(folder, host)} must export a function "open"`);
  return (config) => open(config, context);
}
