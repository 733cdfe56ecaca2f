import { mkdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { StartupError } from "../startup_error.ts";
import { readEnvironment } from "./environment.ts";
import { loadPlugins } from "./load_plugins.ts";
import { pluginList } from "./plugin_list.ts";
import { scaffold } from "./plugin_scaffold.ts";
import { readSettings } from "./settings.ts";

/** `plugin list` and `plugin new <folder>`. Answers lines for the operator. */
export async function pluginCommand([verb, folder]: readonly string[]): Promise<string[]> {
  if (verb === "list") return await listPlugins();
  if (verb === "new" && folder !== undefined) return await newPlugin(resolve(folder));
  throw new StartupError("plugin takes: list, or new <new folder>");
}

async function listPlugins(): Promise<string[]> {
  return await pluginList(await loadPlugins(await readSettings(readEnvironment())));
}

async function newPlugin(folder: string): Promise<string[]> {
  const name = basename(folder).replaceAll("-", "_");
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new StartupError(`a plugin's folder is named in snake_case, got "${name}"`);
  }
  await mkdir(folder, { recursive: false });
  for (const [file, text] of Object.entries(scaffold(name))) await writeFile(join(folder, file), text);
  return [
    `made the plugin ${name} in ${folder}`,
    `serve it: add { "use": "${folder}" } to the plugins of the installation manifest, and start`,
    `its service is service_${name}.proto, what it does handlers.ts, its test ${name}.test.ts; README.md says how to go on`,
  ];
}
