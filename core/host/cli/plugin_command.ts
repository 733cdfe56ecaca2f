import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { readEnvironment } from "../settings/environment.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { pluginList } from "./plugin_list.ts";
import { scaffold } from "./plugin_scaffold.ts";
import { readSettings } from "../settings/settings.ts";

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
  for (const [file, text] of Object.entries(scaffold(name))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return [
    `created the plugin ${name} in ${folder}`,
    `to serve it, add { "use": "${folder}" } to "plugins" in the installation manifest and start`,
    `service: proto/service_${name}.proto  handlers: handlers.ts  test: test/${name}.test.ts  next: README.md`,
  ];
}
