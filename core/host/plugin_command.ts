import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DescService } from "@bufbuild/protobuf";
import { rolesOf } from "../operation.ts";
import { StartupError } from "../startup_error.ts";
import { readEnvironment } from "./environment.ts";
import { importPlugin } from "./load_plugins.ts";
import { pluginTemplate } from "./plugin_template.ts";
import { type PluginPlace, resolvePlugin } from "./resolve_plugin.ts";
import { readSettings, ROOT } from "./settings.ts";
import { shareModules } from "./shared_modules.ts";

/** `plugin new <folder>` and `plugin list`. */
export async function pluginCommand([verb, ...words]: readonly string[]): Promise<readonly string[]> {
  if (verb === "list" && words.length === 0) return await listPlugins();
  const [folder] = words;
  if (verb === "new" && folder !== undefined && words.length === 1) return await newPlugin(folder);
  throw new StartupError("there are two commands: plugin new <folder>, plugin list");
}

async function newPlugin(folder: string): Promise<string[]> {
  const path = resolve(folder);
  const name = basename(path);
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw new StartupError(`the folder becomes the plugin's name and must be snake_case, got "${name}"`);
  }
  if (existsSync(path) && (await readdir(path)).length > 0) throw new StartupError(`the folder ${folder} is not empty`);
  const isOurs = dirname(path) === join(ROOT, "plugins");
  for (const [file, text] of Object.entries(await pluginTemplate(name, isOurs))) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), text);
  }
  const use = isOurs ? name : path;
  return [
    `made the plugin "${name}" in ${folder}; next:`,
    isOurs
      ? "1. generate code from its proto: deno task gen"
      : `1. generate code from its proto, in ${folder}: npm install && npx buf generate`,
    `2. add { "use": "${use}" } to the plugins of the installation manifest`,
    "3. deno task start",
  ];
}

/** One line for each plugin, then one for each operation with the roles that may call it. */
async function listPlugins(): Promise<string[]> {
  const { plugins, manifestPath } = await readSettings(readEnvironment());
  shareModules();
  const lines = await Promise.all(plugins.map(async ({ use }) => {
    const place = resolvePlugin(use, manifestPath);
    const { manifest } = await importPlugin(place);
    const services = (await servicesIn(place)).filter(({ name }) => manifest.services.includes(name));
    return [
      `${manifest.name} ${manifest.version} (${use})`,
      ...services.flatMap(({ name, methods }) => [
        `  ${name}`,
        ...methods.map((method) => `    ${method.name}: ${rolesOf(method).join(", ")}`),
      ]),
    ];
  }));
  return lines.flat();
}

/** The services whose generated code lies in the plugin's folder; nothing is set up to learn of them. */
async function servicesIn({ folder }: PluginPlace): Promise<DescService[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /_pb\.(ts|js)$/.test(file));
  const modules = await Promise.all(files.sort().map((file) => import(pathToFileURL(join(folder, file)).href)));
  const exports = modules.flatMap((module: Record<string, unknown>) => Object.values(module));
  return exports.filter((one): one is DescService => (one as { kind?: unknown } | null)?.kind === "service");
}
