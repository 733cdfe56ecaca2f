import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildFailure, Metafile, Plugin } from "esbuild";
import { StartupError } from "../../base/startup_error.ts";
import { ROOT } from "../settings/settings.ts";
import { SHARED } from "../load/shared_modules.ts";

export interface Bundled {
  readonly bytes: number;
  readonly gzipBytes: number;
  /** The paths of the modules in it. */
  readonly modules: readonly string[];
}

// Packed, the project's own modules are JavaScript.
const EXTENSION = import.meta.url.endsWith(".ts") ? "ts" : "js";

const OWN_MODULES: readonly (readonly [specifier: RegExp, module: string])[] = [
  [/^edgehelm$/, `core/mod.${EXTENSION}`],
  [/^edgehelm\/edge$/, `core/edge/mod.${EXTENSION}`],
  [/^edgehelm\/((?:proto|plugins)\/.+)\.js$/, `$1.${EXTENSION}`],
];

/** What no edge runtime does while it runs. */
const FORBIDDEN = [[/\beval\s*\(/, "eval"], [/\bnew Function\b/, "new Function"], [/\bWebAssembly\./, "WebAssembly"]];

const deflate = promisify<Uint8Array, { level: number }, Uint8Array>(gzip);

/**
 * Bundles a module, with all that it imports, into one file.
 *
 * @throws StartupError that names each module that needs a machine
 */
export async function bundleModule(entry: string, file: string): Promise<Bundled> {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    minify: true,
    sourcemap: "linked",
    legalComments: "none",
    metafile: true,
    logLevel: "silent",
    plugins: [ownModules, machineModules],
  }).catch(({ errors, message }: BuildFailure) => {
    throw new StartupError(
      errors?.map(({ text, location }) => location === null ? text : `${location.file}: ${text}`) ?? message,
    );
  });
  const bytes = await readFile(file);
  requireStatic(metafile, bytes.toString("utf8"));
  const gzipBytes = (await deflate(bytes, { level: 9 })).length;
  return { bytes: bytes.length, gzipBytes, modules: Object.keys(metafile.inputs) };
}

/** Gives every plugin, wherever it lies, this project's own copy of what it shares with the kernel. */
const ownModules: Plugin = {
  name: "own modules",
  setup({ onResolve, resolve }) {
    onResolve({ filter: SHARED }, ({ path, kind, pluginData }) => {
      for (const [specifier, module] of OWN_MODULES) {
        if (specifier.test(path)) return { path: join(ROOT, path.replace(specifier, module)) };
      }
      return pluginData === ownModules ? undefined : resolve(path, { kind, resolveDir: ROOT, pluginData: ownModules });
    });
  },
};

const machineModules: Plugin = {
  name: "machine modules",
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({
      errors: [{ text: `imports ${path}, which no edge runtime has: move what needs it to the plugin's host.ts` }],
    }));
  },
};

function requireStatic({ inputs }: Metafile, text: string): void {
  const dynamic = Object.entries(inputs).flatMap(([module, { imports }]) =>
    imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => `${module}: imports ${path} dynamically`)
  );
  const forbidden = FORBIDDEN.filter(([pattern]) => (pattern as RegExp).test(text)).map(([, what]) =>
    `the bundle uses ${what}`
  );
  const problems = [...dynamic, ...forbidden];
  if (problems.length > 0) throw new StartupError(problems);
}
