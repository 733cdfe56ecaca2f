import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PluginUse } from "../../kernel/check.ts";
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
 * @throws StartupError that lists every plugin that cannot be loaded
 */
export async function loadPlugins(
  { plugins, manifestPath, dataDirectory }: Pick<Settings, "plugins" | "manifestPath" | "dataDirectory">,
  describe: (error: unknown) => string | Promise<string> = errorMessage,
): Promise<PluginUse[]> {
  const errors: string[] = [];
  const loaded = await Promise.all(plugins.map(async ({ use, config, disabled, accepted }, index) => {
    if (disabled) return undefined;
    const at = `plugins[${index}]`;
    try {
      const location = resolvePlugin(use, manifestPath);
      await requireAccepted(use, location, accepted);
      return {
        plugin: await importPlugin(location),
        config,
        at,
        openHost: await importHost(location, { dataDirectory }),
      };
    } catch (error) {
      const messages = error instanceof StartupError ? error.errors : [`${use}: ${await describe(error)}`];
      errors.push(...messages.map((message) => `${at}: ${message}`));
      return undefined;
    }
  }));
  if (errors.length > 0) throw new StartupError(errors);
  return loaded.filter((plugin) => plugin !== undefined);
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
