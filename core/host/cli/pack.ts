import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { CompilerOptions } from "typescript";
import { StartupError } from "../../base/startup_error.ts";
import { ROOT } from "../settings/settings.ts";

// Installed packages, data, build output and repository metadata do not belong in a package.
const EXCLUDED = new Set(["node_modules", "data", "dist", "coverage", ".git", ".ci"]);
// What the folder needs for development, and package.json, which the package gets its own.
const EXCLUDED_FILES = /^(?:package(?:-lock)?|npm-shrinkwrap|deno|tsconfig)\.jsonc?$/;
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

interface Package {
  readonly source: string;
  readonly folders: readonly string[];
  /** The content of package.json. */
  readonly manifest: Record<string, unknown>;
}

/**
 * Packs a plugin's folder, or the project itself, as an npm package of JavaScript and type declarations.
 *
 * @param args the plugin's folder, unless the project is to be packed; then the output folder, which must not exist
 * @returns lines for the operator
 */
export async function pack(args: readonly string[]): Promise<string[]> {
  const [first, second] = args;
  if (first === undefined) throw new StartupError("usage: pack [plugin folder] <new folder>");
  const out = resolve(second ?? first);
  const { source, folders, manifest } = second === undefined
    ? await projectPackage()
    : await pluginPackage(resolve(first));
  await mkdir(out, { recursive: false });
  for (const folder of folders) await packFolder(source, folder, out);
  await writeFile(join(out, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return [`packed ${manifest["name"]} ${manifest["version"]} into ${out}; publish it with: npm publish ${out}`];
}

async function projectPackage(): Promise<Package> {
  const { devDependencies: _dev, exports: modules, ...manifest } = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const exports = Object.fromEntries(
    Object.entries<string>(modules).map(([subpath, module]) => [subpath, compiledModule(module.replace(/\.ts$/, ""))]),
  );
  const bin = { edgehelm: "./core/host/cli/main.js" };
  return {
    source: ROOT,
    folders: ["core", "plugins", "proto", "test/harness"],
    manifest: { ...manifest, exports, bin },
  };
}

async function pluginPackage(source: string): Promise<Package> {
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
    },
    dependencies: others,
    peerDependencies: { ...peers, ...peerDependencies },
  };
  return { source, folders: [""], manifest };
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

async function packFolder(source: string, folder: string, out: string): Promise<void> {
  const { default: typescript } = await import("typescript");
  const options: CompilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2024,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    isolatedDeclarations: false,
    declaration: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: false,
    skipLibCheck: true,
    strict: true,
    rootDir: source,
    outDir: out,
  };
  const files = await filesIn(join(source, folder));
  const modules = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const program = typescript.createProgram(modules, options);
  // Emit file by file: a module imported from elsewhere is not part of the package.
  for (const module of modules) {
    program.emit(program.getSourceFile(module), (file, text) => {
      typescript.sys.writeFile(file, file.endsWith(".d.ts") ? text.replace(/(from "\.[^"]*)\.ts"/g, '$1.js"') : text);
    });
  }
  for (const file of files.filter((path) => /\.(json|proto|md|css|html)$/.test(path))) {
    const target = join(out, relative(source, file));
    await mkdir(dirname(target), { recursive: true });
    if (!file.endsWith("/plugin.json")) await cp(file, target);
    else await writeFile(target, (await readFile(file, "utf8")).replace(/("host": "[^"]*)\.ts"/, '$1.js"'));
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const packed = entries.filter(({ name }) => !EXCLUDED.has(name) && !EXCLUDED_FILES.test(name));
  const nested = packed.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  return (await Promise.all(nested)).flat();
}
