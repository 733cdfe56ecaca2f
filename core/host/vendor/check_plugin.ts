import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText } from "../../base/log.ts";
import { StartupError } from "../../base/startup_error.ts";
import { importPlugin } from "../load/load_plugins.ts";
import { resolvePlugin } from "../load/resolve_plugin.ts";
import { ownModuleResolver } from "../load/shared_modules.ts";

/** The parts of `edgehelm/testing` that are needed here. Core does not import the module: it stands on core. */
interface Testing {
  pluginConformance(plugin: unknown, options?: object): readonly {
    readonly name: string;
    run(): Promise<void>;
  }[];
}

/**
 * Checks a plugin as those of the project are checked.
 *
 * @returns a line for each check
 * @throws StartupError with a line for each violation
 */
export async function checkPlugin(folder: string): Promise<string[]> {
  const location = resolvePlugin(resolve(folder), resolve(folder, "manifest.json"));
  // first: once the hooks for plugins are registered, Deno no longer loads the native module of the database
  const { pluginConformance }: Testing = await import(ownModuleResolver()("edgehelm/testing")!);
  const plugin = await importPlugin(location);
  const options = await ownOptions(location.folder);
  const passed: string[] = [];
  const errors: string[] = [];
  for (const { name, run } of pluginConformance(plugin, options)) {
    try {
      await run();
      passed.push(`ok  ${name}`);
    } catch (error) {
      errors.push(`${name}:`, ...errorText(error).split("\n").map((line) => `  ${line}`));
    }
  }
  if (errors.length > 0) throw new StartupError(errors);
  return passed;
}

/** Returns what the plugin exports for its checks, such as a fixture. */
async function ownOptions(folder: string): Promise<object> {
  const module = join(folder, "test/conformance.ts");
  if (!existsSync(module)) return {};
  const { options } = await import(pathToFileURL(module).href);
  if (typeof options !== "object") throw new StartupError(`${module} must export "options"`);
  return options;
}
