import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { BuildFailure, Plugin } from "esbuild";
import type { PluginFolder } from "./plugin_folder.ts";

/** An import, re-export or `import()` of a module, of types too. */
export interface ModuleImport {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
}

/** The imports of modules, and a line for each module that is no valid code. */
export interface ModuleImports {
  readonly imports: readonly ModuleImport[];
  readonly errors: readonly string[];
}

const MODULE = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const TYPE_IMPORT = /^ {0,80}(?:import type(?! from ["'])(?= ?[{*\w$])|export type(?= ?[{*]))/gm;
const TYPE_QUERY = /\bimport\(\s{0,80}["']([^"'\n]{1,400})["']/g;

/** Reads the imports of the modules of a plugin. */
export async function importsOf({ path: folder, files }: PluginFolder): Promise<ModuleImports> {
  const modules = files.filter((file) => MODULE.test(file) && !DECLARATIONS.test(file));
  if (modules.length === 0) return { imports: [], errors: [] };
  const texts = new Map(
    await Promise.all(modules.map(async (file) => [file, await readFile(join(folder, file), "utf8")] as const)),
  );
  const found = new Map<string, Set<string>>(modules.map((file) => [file, new Set()]));
  for (const [file, text] of texts) {
    for (const [, specifier] of text.matchAll(TYPE_QUERY)) found.get(file)!.add(specifier!);
  }
  const { build } = await import("esbuild");
  const errors = await build({
    entryPoints: modules.map((file) => join(folder, file)),
    absWorkingDir: folder,
    outdir: folder,
    write: false,
    bundle: true,
    format: "esm",
    platform: "neutral",
    // otherwise imports that nothing uses would be left out
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "silent",
    plugins: [recorder(folder, texts, found)],
  }).then(
    () => [],
    ({ errors }: BuildFailure) =>
      errors.map(({ text, location }) =>
        `${location?.file ?? "a module"}:${location?.line ?? 1} is not valid: ${text}`
      ),
  );
  const imports = [...found].flatMap(([file, specifiers]) =>
    [...specifiers].map((specifier) => ({ file, line: lineOf(texts.get(file)!, specifier), specifier }))
  );
  return { imports, errors };
}

function recorder(
  folder: string,
  texts: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, Set<string>>,
): Plugin {
  const fileOf = (path: string) => relative(folder, path).split(sep).join("/");
  return {
    name: "imports",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
        if (kind === "entry-point") return undefined;
        found.get(fileOf(importer))?.add(path);
        return { path, external: true };
      });
      onLoad({ filter: MODULE }, ({ path }) => {
        const contents = texts.get(fileOf(path));
        if (contents === undefined) return undefined;
        // types have no imports at run time
        const visible = contents.replace(TYPE_IMPORT, (statement) => statement.slice(0, -" type".length));
        return { contents: visible, loader: /x$/.test(path) ? "tsx" : "ts" };
      });
    },
  };
}

function lineOf(text: string, specifier: string): number {
  const places = [`"${specifier}"`, `'${specifier}'`].map((quoted) => text.indexOf(quoted)).filter((at) => at >= 0);
  return text.slice(0, Math.min(...places, text.length)).split("\n").length;
}
