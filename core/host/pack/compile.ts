import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { CompilerOptions } from "typescript";
import type { PackageContent } from "./package_content.ts";

/** Compiles the modules of a package to JavaScript with declarations, and copies its other files. */
export async function compile({ source, files }: PackageContent, out: string): Promise<void> {
  const { default: typescript } = await import("typescript");
  const options: CompilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2024,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    isolatedDeclarations: false,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: false,
    skipLibCheck: true,
    strict: true,
    rootDir: source,
    outDir: out,
  };
  const modules = files.filter((file) => file.endsWith(".ts"));
  const program = typescript.createProgram(modules, options);
  // Emit file by file: a module imported from elsewhere is not part of the package.
  for (const module of modules) {
    program.emit(program.getSourceFile(module), (file, text) => {
      typescript.sys.writeFile(file, file.endsWith(".d.ts") ? importsOfJavaScript(text) : text);
    });
  }
  for (const file of files.filter((path) => !path.endsWith(".ts"))) {
    const target = join(out, relative(source, file));
    await mkdir(dirname(target), { recursive: true });
    if (!file.endsWith("/plugin.json")) await cp(file, target);
    else await writeFile(target, (await readFile(file, "utf8")).replace(/("host": "[^"]*)\.ts"/, '$1.js"'));
  }
}

/**
 * The declarations of a module with its relative imports of JavaScript: the compiler leaves `.ts`, and names the modules of
 * inferred types without an ending, which Node's resolution does not find.
 */
function importsOfJavaScript(declarations: string): string {
  return declarations.replace(
    /((?:from |import |import\()"\.[^"]*?)(?:\.ts|\.js)?"/g,
    (_all, start: string) => start.endsWith(".json") ? `${start}"` : `${start}.js"`,
  );
}
