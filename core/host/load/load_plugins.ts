import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PluginUse } from "../../kernel/check.ts";
import type { HostContext } from "../../plugin_api/host_part.ts";
import type { Plugin } from "../../plugin_api/plugin.ts";
import { StartupError } from "../../base/startup_error.ts";
import { type PluginPlace, resolvePlugin } from "./resolve_plugin.ts";
import type { Settings } from "../settings/settings.ts";
import { shareModules } from "./shared_modules.ts";

/** Imports the plugins of an installation. Every one that cannot be had is told at once. */
export async function loadPlugins({ plugins, manifestPath, dataDirectory }: Settings): Promise<PluginUse[]> {
  shareModules();
  const problems: string[] = [];
  const loaded = await Promise.all(plugins.map(async ({ use, config }, index) => {
    const at = `plugins[${index}]`;
    try {
      const place = resolvePlugin(use, manifestPath);
      return { plugin: await importPlugin(place), config, at, openHost: await importHost(place, { dataDirectory }) };
    } catch (error) {
      const faults = error instanceof StartupError
        ? error.problems
        : [error instanceof Error ? error.message : `${error}`];
      problems.push(...faults.map((fault) => `${at}: ${fault}`));
      return undefined;
    }
  }));
  if (problems.length > 0) throw new StartupError(problems);
  return loaded.filter((one) => one !== undefined);
}

export async function importPlugin({ module }: PluginPlace): Promise<Plugin> {
  const { default: plugin } = await import(pathToFileURL(module).href);
  if (typeof plugin?.setup !== "function" || typeof plugin.manifest?.name !== "string") {
    throw new StartupError(`${module} has no default export made by definePlugin`);
  }
  return plugin;
}

async function importHost({ folder }: PluginPlace, place: HostContext): Promise<PluginUse["openHost"]> {
  const { host } = JSON.parse(await readFile(join(folder, "plugin.json"), "utf8"));
  if (host === undefined) return undefined;
  const { open } = await import(pathToFileURL(join(folder, host)).href);
  if (typeof open !== "function") throw new StartupError(`${join(folder, host)} exports no function "open"`);
  return (config) => open(config, place);
}
