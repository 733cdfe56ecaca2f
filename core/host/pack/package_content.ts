import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "../settings/settings.ts";

/** The content of a package. */
export interface PackageContent {
  readonly source: string;
  /** The absolute paths of its files, before they are compiled. */
  readonly files: readonly string[];
  /** The content of package.json. */
  readonly manifest: Record<string, unknown>;
}

// Installed packages, data, build output, tests and repository metadata do not belong in a package.
const EXCLUDED = new Set(["node_modules", "data", "dist", "coverage", "test", ".git", ".ci"]);
// What the folder needs for development, and package.json, which the package gets its own.
const EXCLUDED_FILES = /^(?:(?:package(?:-lock)?|npm-shrinkwrap|deno|dev|tsconfig)\.jsonc?|.*\.test\.ts)$/;
const PACKED_FILES = /\.(ts|json|proto|md|css|html)$|^LICEN[CS]E/;
/** The module of the project that tests of plugins import, of which the package has only what it needs. */
const TESTING = "test/harness/mod.ts";
/** The fields of a plugin's package.json that the package keeps. */
const KEPT_FIELDS = [
  "author",
  "bugs",
  "contributors",
  "dependencies",
  "description",
  "funding",
  "homepage",
  "keywords",
  "license",
  "optionalDependencies",
  "peerDependencies",
  "publishConfig",
  "repository",
];

/** The sources of pages for browsers, which plugins contain built, and the program that builds them. */
const SOURCE_OF_PAGES = /[\\/]plugins[\\/][^\\/]+[\\/](app[\\/]|host[\\/]build\.ts$)/;

export async function projectPackage(): Promise<PackageContent> {
  const { devDependencies: _dev, exports: modules, ...manifest } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const exports = Object.fromEntries(
    Object.entries<string>(modules).map(([subpath, module]) => [subpath, compiledModule(module.replace(/\.ts$/, ""))]),
  );
  const folders = await Promise.all(["core", "plugins", "proto"].map((folder) => filesIn(join(ROOT, folder))));
  return {
    source: ROOT,
    files: [
      ...folders.flat().filter((file) => !SOURCE_OF_PAGES.test(file)),
      ...await importedBy(join(ROOT, TESTING)),
      ...["README.md", "LICENSE"].map((file) => join(ROOT, file)),
    ],
    manifest: {
      ...manifest,
      exports: { ...exports, "./package.json": "./package.json" },
      bin: { edgehelm: "core/host/cli/main.js" },
    },
  };
}

/** @param out the folder that the package is written to, which may be in that of the plugin */
export async function pluginPackage(source: string, out: string): Promise<PackageContent> {
  const { name, version, kernel } = JSON.parse(await readFile(join(source, "plugin.json"), "utf8"));
  const project = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const own = await ownManifest(source);
  const peers = {
    edgehelm: `>=${project.version}`,
    "@bufbuild/protobuf": project.dependencies["@bufbuild/protobuf"],
  };
  const { dependencies = {}, peerDependencies = {} } = own as Record<string, Record<string, string>>;
  const others = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !(name in peers)));
  const manifest = {
    name: `edgehelm-plugin-${name.replaceAll("_", "-")}`,
    description: `The plugin ${name} for Edgehelm (kernel ${kernel})`,
    ...own,
    version,
    type: "module",
    exports: {
      ".": compiledModule("./plugin"),
      ...(existsSync(join(source, "contract.ts")) && { "./contract.js": compiledModule("./contract") }),
      // what clients import
      ...(existsSync(join(source, "proto")) && { "./proto/*.js": compiledModule("./proto/*") }),
    },
    dependencies: others,
    peerDependencies: { ...peers, ...peerDependencies },
  };
  const files = await filesIn(source);
  return { source, files: files.filter((file) => relative(out, file).startsWith("..")), manifest };
}

/** Returns what the package.json of a plugin says about the package. */
async function ownManifest(source: string): Promise<Record<string, unknown>> {
  const path = join(source, "package.json");
  if (!existsSync(path)) return {};
  const manifest: Record<string, unknown> = JSON.parse(await readFile(path, "utf8"));
  return Object.fromEntries(
    ["name", ...KEPT_FIELDS].flatMap((field) => field in manifest ? [[field, manifest[field]]] : []),
  );
}

function compiledModule(module: string): { types: string; default: string } {
  return { types: `${module}.d.ts`, default: `${module}.js` };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const packed = entries.filter(({ name }) => !EXCLUDED.has(name) && !EXCLUDED_FILES.test(name));
  const nested = packed.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : PACKED_FILES.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(nested)).flat();
}

/** Returns a module and what it imports from its own folder and those below. */
async function importedBy(module: string): Promise<string[]> {
  const { default: typescript } = await import("typescript");
  const found = new Set([module]);
  for (const path of found) {
    for (const { fileName } of typescript.preProcessFile(await readFile(path, "utf8")).importedFiles) {
      const imported = resolve(dirname(path), fileName);
      if (fileName.startsWith(".") && !relative(dirname(module), imported).startsWith("..")) found.add(imported);
    }
  }
  return [...found];
}
