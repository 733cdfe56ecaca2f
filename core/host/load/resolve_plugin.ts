import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { satisfies } from "semver";
import { StartupError } from "../../base/startup_error.ts";
import { ROOT } from "../settings/settings.ts";

/** The folder of a plugin and the module to import. */
export interface PluginLocation {
  readonly folder: string;
  readonly module: string;
}

const BUILT_IN_NAME = /^[a-z][a-z0-9_]*$/;
const PACKAGE = /^(npm|jsr):((?:@[^/@]+\/)?[^/@]+)(?:@(.+))?$/;

/** True for what `use` is if the plugin is an installed package. */
export function isPackage(use: string): boolean {
  return PACKAGE.test(use);
}

/**
 * Locates the plugin that a manifest's `use` names. A bare name is a built-in plugin; a path that starts with `./`,
 * `../` or `/` is a folder; `npm:` and `jsr:` are installed packages.
 *
 * @throws StartupError if the plugin cannot be found or its version is out of range
 */
export function resolvePlugin(use: string, manifestPath: string): PluginLocation {
  if (BUILT_IN_NAME.test(use)) return inFolder(join(ROOT, "plugins", use), use);
  if (/^(\.{0,2})\//.test(use)) return inFolder(resolve(dirname(manifestPath), use), use);
  const [, registry, name, range] = PACKAGE.exec(use) ?? [];
  if (name === undefined) {
    throw new StartupError(
      `"${use}" is not a plugin reference: use a built-in name, ./folder, npm:package or jsr:@scope/package`,
    );
  }
  // JSR packages are installed under the @jsr scope of npm.
  const installed = registry === "jsr" ? `@jsr/${name.slice(1).replace("/", "__")}` : name;
  return inPackage(installed, range ?? "*", use, manifestPath);
}

function inFolder(folder: string, use: string): PluginLocation {
  for (const file of ["plugin.ts", "plugin.js"]) {
    const module = join(folder, file);
    if (existsSync(module)) return { folder, module };
  }
  throw new StartupError(`"${use}" is not a plugin: ${folder} has no plugin.ts or plugin.js`);
}

function inPackage(name: string, range: string, use: string, manifestPath: string): PluginLocation {
  const folder = packageFolder(name, [dirname(manifestPath), ROOT]);
  if (folder === undefined) {
    throw new StartupError(`the package of "${use}" is not installed: run npm install ${name} beside ${manifestPath}`);
  }
  const { version, exports, main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (!satisfies(version, range)) {
    throw new StartupError(`"${use}" requires version ${range}, but ${version} is installed in ${folder}`);
  }
  return { folder, module: join(folder, entryOf(exports) ?? main ?? "plugin.js") };
}

function entryOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const conditions = exports as Record<string, unknown>;
  return entryOf(conditions["."] ?? conditions["import"] ?? conditions["default"]);
}

/** Searches node_modules as Node does, upwards from each of the folders. */
export function packageFolder(name: string, from: readonly string[]): string | undefined {
  for (const start of from) {
    for (let folder = start;; folder = dirname(folder)) {
      const candidate = join(folder, "node_modules", name);
      if (existsSync(join(candidate, "package.json"))) return candidate;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}
