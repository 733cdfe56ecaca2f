import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { readEnvironment } from "../settings/environment.ts";
import { loadPlugins } from "../load/load_plugins.ts";
import { pluginList } from "./plugin_list.ts";
import { scaffold } from "./plugin_scaffold.ts";
import { readSettings } from "../settings/settings.ts";

/**
 * Runs `plugin list` or `plugin new <folder>`.
 *
 * @returns lines for the operator
 */
export async function pluginCommand([action, folder]: readonly string[]): Promise<string[]> {
  if (action === "list") return await listPlugins();
  if (action === "new" && folder !== undefined) return await newPlugin(resolve(folder));
  throw new StartupError("usage: plugin list | plugin new <new folder>");
}

async function listPlugins(): Promise<string[]> {
  return await pluginList(await loadPlugins(await readSettings(readEnvironment())));
}

async function newPlugin(folder: string): Promise<string[]> {
  const name = basename(folder).replaceAll("-", "_");
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new StartupError(`the name of a plugin folder must be snake_case, got "${name}"`);
  }
  await mkdir(folder, { recursive: false });
  for (const [file, text] of Object.entries(scaffold(name))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return [
    `created plugin ${name} in ${folder}`,
    `to enable it, add { "use": "${folder}" } to "plugins" in the installation manifest and restart the server`,
    `service: proto/service_${name}.proto  handlers: handlers.ts  test: test/${name}.test.ts  next: README.md`,
  ];
}
