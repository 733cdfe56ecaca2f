import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type ts from "typescript";
import { StartupError } from "../startup_error.ts";
import { ROOT } from "./settings.ts";
import { SHARED } from "./shared_modules.ts";

const RELATIVE_TS = /((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g;

/** A file of the result: where it goes, and its text. */
export interface CompiledFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Compiles TypeScript to JavaScript and declarations. Types are not checked here, `deno check` does that.
 *
 * @param folder what the paths of the result are relative to
 * @param files paths below the folder
 * @throws StartupError for text that is no TypeScript, and for exports whose type cannot be written down
 */
export async function compile(folder: string, files: readonly string[]): Promise<CompiledFile[]> {
  const { default: compiler } = await import("typescript").catch((cause: Error) => {
    throw new StartupError(`packing needs the package typescript: ${cause.message}`, { cause });
  });
  const options: ts.CompilerOptions = {
    target: compiler.ScriptTarget.ES2024,
    // Not NodeNext, which makes CommonJS of a folder that has no package.json.
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    rewriteRelativeImportExtensions: true,
    verbatimModuleSyntax: true,
    resolveJsonModule: true,
    declaration: true,
    skipLibCheck: true,
    strict: true,
    types: [],
  };
  const compiled: CompiledFile[] = [];
  const host = compiler.createCompilerHost(options);
  const wanted = new Set(files.map((file) => resolve(folder, file)));
  const hostModule = fileURLToPath(import.meta.url);
  // What plugins share with the host is found as the running host would find it.
  host.resolveModuleNameLiterals = (names, containing, _redirected, _options, sourceFile) =>
    names.map((name) => {
      const from = SHARED.test(name.text) && !containing.startsWith(ROOT) ? hostModule : containing;
      const mode = compiler.getModeForUsageLocation(sourceFile, name, options);
      return compiler.resolveModuleName(name.text, from, options, host, undefined, undefined, mode);
    });
  host.writeFile = (output, text, _mark, _failed, sourceFiles) => {
    const source = sourceFiles?.[0]?.fileName;
    if (source === undefined || output.endsWith(".json") || !wanted.has(resolve(source))) return;
    const name = output.slice(dirname(output).length + 1);
    // Declarations keep the extensions that JavaScript loses.
    const rewritten = output.endsWith(".d.ts") ? text.replace(RELATIVE_TS, '$1.js"') : text;
    compiled.push({ path: join(relative(folder, dirname(source)), name), text: rewritten });
  };
  const program = compiler.createProgram([...wanted], options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => wanted.has(resolve(fileName)));
  const faults = own.flatMap((file) => [...program.getSyntacticDiagnostics(file)]);
  const { diagnostics } = faults.length > 0 ? { diagnostics: faults } : program.emit();
  if (diagnostics.length > 0) {
    throw new StartupError(diagnostics.map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? "" : `:${file.getLineAndCharacterOfPosition(start).line + 1}`;
      return `${file?.fileName ?? folder}${line}: ${compiler.flattenDiagnosticMessageText(messageText, "\n")}`;
    }));
  }
  return compiled;
}
