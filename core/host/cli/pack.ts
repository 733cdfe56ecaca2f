import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { CompilerOptions } from "typescript";
import { StartupError } from "../../base/startup_error.ts";
import { ROOT } from "../settings/settings.ts";

// Installed packages, data, build output and repository metadata do not belong in a package.
const EXCLUDED = new Set(["node_modules", "data", "dist", "coverage", ".git", ".ci"]);

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
  const manifest = {
    name: `edgehelm-plugin-${name.replaceAll("_", "-")}`,
    version,
    description: `The plugin ${name} for Edgehelm (kernel ${kernel})`,
    type: "module",
    exports: {
      ".": compiledModule("./plugin"),
      ...(existsSync(join(source, "contract.ts")) && { "./contract.js": compiledModule("./contract") }),
    },
    peerDependencies: {
      edgehelm: `>=${project.version}`,
      "@bufbuild/protobuf": project.dependencies["@bufbuild/protobuf"],
    },
  };
  return { source, folders: [""], manifest };
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
  const nested = entries.filter(({ name }) => !EXCLUDED.has(name)).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
  return (await Promise.all(nested)).flat();
}
