import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { packageFolder } from "../../load/resolve_plugin.ts";
import { exportsResolver, SHARED } from "../../load/shared_modules.ts";
import { ROOT } from "../../settings/settings.ts";
import { importsOf, type ModuleImport } from "./module_imports.ts";
import { folderWith, isForBuild, isProgram, isTest, type PluginCheck, type PluginFolder } from "./plugin_folder.ts";

const CONTRACT = /^contract(?:\/[\w/]+)?\.[jt]s$/;
const MESSAGES = /^proto\/.*_pb\.[jt]s$/;
const DEPENDENCY_FIELDS = ["dependencies", "peerDependencies", "optionalDependencies"] as const;
const FOR_DEVELOPMENT = [...DEPENDENCY_FIELDS, "devDependencies"] as const;

/** Checks the imports of every module of a plugin. */
export function importRules(plugin: PluginFolder): PluginCheck {
  return {
    name: "every import is of edgehelm, of the plugin itself, of a dependency or of a contract that it declares",
    async run() {
      const { imports, errors } = await importsOf(plugin);
      const rules = new ImportRules(plugin);
      const findings = imports.flatMap((found) => {
        const problem = rules.problemOf(found);
        return problem === undefined ? [] : [`${found.file}:${found.line} imports "${found.specifier}", ${problem}`];
      });
      return [...errors, ...findings];
    },
  };
}

class ImportRules {
  readonly #plugin: PluginFolder;
  /** The `exports` of this package. */
  readonly #exports: Readonly<Record<string, unknown>>;
  readonly #package: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  readonly #packageFolder: string | undefined;

  constructor(plugin: PluginFolder) {
    this.#plugin = plugin;
    this.#exports = readJson(join(ROOT, "package.json"))["exports"] as Readonly<Record<string, unknown>>;
    this.#packageFolder = folderWith("package.json", plugin.path);
    this.#package = this.#packageFolder === undefined
      ? {}
      : readJson(join(this.#packageFolder, "package.json")) as Readonly<Record<string, Record<string, string>>>;
  }

  /** Returns what is wrong with an import and what to do, or undefined. */
  problemOf({ file, specifier }: ModuleImport): string | undefined {
    if (specifier.startsWith("#")) return undefined;
    if (/^\.{0,2}\//.test(specifier)) return this.#ofFile(file, specifier);
    if (isBuiltin(specifier)) return this.#ofRuntime(file);
    if (/^[a-z]+:/.test(specifier)) {
      return `which is no installed package: install it, and name it in "dependencies" of package.json`;
    }
    if (/^edgehelm(\/|$)/.test(specifier)) return this.#ofEdgehelm(file, specifier);
    if (isContract(file) && !SHARED.test(specifier)) return CONTRACTS_STAND_ALONE;
    return SHARED.test(specifier) ? undefined : this.#ofPackage(file, specifier);
  }

  #ofFile(file: string, specifier: string): string | undefined {
    const target = resolve(join(this.#plugin.path, dirname(file)), specifier);
    const own = relative(this.#plugin.path, target).split(sep).join("/");
    if (!own.startsWith("..")) {
      if (isContract(file) && !isForContracts(own)) return CONTRACTS_STAND_ALONE;
      if (isProgram(own) && !isProgram(file) && !isTest(file)) return PROGRAMS_STAND_ALONE;
      return undefined;
    }
    const other = folderWith("plugin.json", dirname(target));
    if (other === undefined) {
      return `a file outside of the plugin: use an entry point of edgehelm, such as "edgehelm/rows", or move the file`;
    }
    return this.#ofPlugin(file, other, relative(other, target).split(sep).join("/"));
  }

  #ofRuntime(file: string): string | undefined {
    if (isTest(file) || isProgram(file) || this.#isHost(file)) return undefined;
    return "which edge runtimes do not have: move the code that needs it to host.ts, or to the folder host";
  }

  #isHost(file: string): boolean {
    return file === this.#plugin.manifest.host || /^host(?:\.[jt]s$|\/)/.test(file);
  }

  #ofEdgehelm(file: string, specifier: string): string | undefined {
    const [, name, path] = /^edgehelm\/plugins\/(\w+)\/(.+)$/.exec(specifier) ?? [];
    if (name !== undefined) return this.#ofPlugin(file, join(ROOT, "plugins", name), path!);
    if (exportsResolver(this.#exports)(specifier) === undefined) {
      const known = Object.keys(this.#exports).filter((entry) => !/[*]|\.json$/.test(entry));
      const names = known.map((entry) => `edgehelm${entry.slice(1)}`).filter((entry) =>
        !/\/(?:edge|testing)$/.test(entry)
      );
      return `which is no public entry point: use one of ${names.join(", ")}`;
    }
    if (specifier === "edgehelm/testing" && !isTest(file)) {
      return "which is for tests: move the code to the folder test";
    }
    return specifier === "edgehelm/edge" ? "which is for deployments, not for plugins: remove the import" : undefined;
  }

  #ofPlugin(file: string, folder: string, path: string): string | undefined {
    const { name = "" } = readJson(join(folder, "plugin.json")) as { name?: string };
    if (MESSAGES.test(path) || isTest(file)) return undefined;
    if (!CONTRACT.test(path)) {
      return `an inner file of the plugin ${name}: use what its contract offers, or ask for more in the contract`;
    }
    const isBuiltInTogether = [folder, this.#plugin.path].every((one) => dirname(one) === join(ROOT, "plugins"));
    if (isBuiltInTogether || name in (this.#plugin.manifest.requires ?? {})) return undefined;
    return `the contract of a plugin that plugin.json does not declare: add "requires": { "${name}": "^1.0" }`;
  }

  #ofPackage(file: string, specifier: string): string | undefined {
    const [, name, path] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
    const fields = isTest(file) || isForBuild(file) ? FOR_DEVELOPMENT : DEPENDENCY_FIELDS;
    if (name === undefined || name === this.#package["name"] as unknown) return undefined;
    if (!fields.some((field) => name in (this.#package[field] ?? {}))) {
      return name in (this.#package["devDependencies"] ?? {})
        ? `which installations do not get: move "${name}" from "devDependencies" of package.json to "dependencies"`
        : `which is no declared dependency: name "${name}" in "dependencies" of package.json`;
    }
    const installed = packageFolder(name, [this.#plugin.path]);
    const isPlugin = installed !== undefined && folderWith("plugin.json", installed) === installed;
    return isPlugin ? this.#ofPlugin(file, installed, path ?? "plugin.js") : undefined;
  }
}

const CONTRACTS_STAND_ALONE =
  "but a contract may import only edgehelm, the messages of the plugin and its folder contract: move what it needs there";

const PROGRAMS_STAND_ALONE =
  "a module of a program for other machines, which installations get bundled: move what both need out of the folder agent";

function isContract(file: string): boolean {
  return CONTRACT.test(file);
}

function isForContracts(path: string): boolean {
  return CONTRACT.test(path) || MESSAGES.test(path);
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path, "utf8"));
}
