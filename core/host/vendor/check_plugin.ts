import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { importPlugin } from "../load/load_plugins.ts";
import { type PluginLocation, resolvePlugin } from "../load/resolve_plugin.ts";
import { ownModuleResolver } from "../load/shared_modules.ts";
import { tryImport } from "./checks/import_effect.ts";
import { importRules } from "./checks/import_rules.ts";
import { readPluginFolder } from "./checks/plugin_folder.ts";
import { pluginLayout } from "./checks/plugin_layout.ts";
import { waysOutRule } from "./checks/ways_out.ts";

/** The parts of `edgehelm/testing` that are needed here. Core does not import the module: it stands on core. */
interface Testing {
  pluginConformance(plugin: unknown, options?: object): readonly {
    readonly name: string;
    run(): Promise<void>;
  }[];
}

const INERT = "the import of the plugin starts nothing, opens nothing and changes nothing";

/** The outcome of one check. */
interface Outcome {
  readonly name: string;
  /** A line for each finding. */
  readonly findings: readonly string[];
}

/**
 * Checks a plugin as those of the project are checked.
 *
 * @returns a line for each check
 * @throws StartupError with a line for each violation
 */
export async function checkPlugin(folder: string): Promise<string[]> {
  const location = resolvePlugin(resolve(folder), resolve(folder, "manifest.json"));
  const outcomes = await checkFiles(location);
  const { error, findings } = await tryImport(location.folder, location.module);
  if (error !== undefined) outcomes.push({ name: "the plugin can be imported", findings: [error] });
  else outcomes.push({ name: INERT, findings }, ...await checkConduct(location));
  const failed = outcomes.filter(({ findings }) => findings.length > 0);
  if (failed.length === 0) return outcomes.map(({ name }) => `ok  ${name}`);
  throw new StartupError(failed.flatMap(({ name, findings }) => [`${name}:`, ...findings.map((line) => `  ${line}`)]));
}

async function checkFiles({ folder }: PluginLocation): Promise<Outcome[]> {
  const plugin = await readPluginFolder(folder);
  const outcomes: Outcome[] = [];
  for (const { name, run } of [importRules(plugin), pluginLayout(plugin), waysOutRule(plugin)]) {
    outcomes.push({ name, findings: await run() });
  }
  return outcomes;
}

/** Runs the plugin, and checks how it behaves. */
async function checkConduct(location: PluginLocation): Promise<Outcome[]> {
  // first: once the hooks for plugins are registered, Deno no longer loads the native module of the database
  const { pluginConformance }: Testing = await import(ownModuleResolver()("edgehelm/testing")!);
  const plugin = await importPlugin(location);
  const options = await ownOptions(location.folder);
  const outcomes: Outcome[] = [];
  for (const { name, run } of pluginConformance(plugin, options)) {
    outcomes.push({ name, findings: await run().then(() => [], linesOf) });
  }
  return outcomes;
}

function linesOf(error: unknown): string[] {
  return errorText(error).split("\n");
}

/** Returns what the plugin exports for its checks, such as a fixture. */
async function ownOptions(folder: string): Promise<object> {
  const module = join(folder, "test/conformance.ts");
  if (!existsSync(module)) return {};
  const { options } = await import(pathToFileURL(module).href);
  if (typeof options !== "object") throw new StartupError(`${module} must export "options"`);
  return options;
}
