import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BuildFailure, Plugin } from "esbuild";
import { StartupError } from "../../base/startup_error.ts";
import { ROOT } from "../settings/settings.ts";
import { ownModuleResolver, SHARED } from "../load/shared_modules.ts";

export interface Bundled {
  readonly bytes: number;
  readonly gzipBytes: number;
  /** The paths of the bundled modules. */
  readonly modules: readonly string[];
}

/** Forms of code generation that edge runtimes forbid. */
const FORBIDDEN = [
  [/\beval\s*\(/, "eval"],
  [/\bnew Function\b/, "new Function"],
  [/\bWebAssembly\./, "WebAssembly"],
  // imports whose module is known are part of the bundle
  [/\bimport\s*\(/, "import() of a computed module"],
];

const deflate = promisify<Uint8Array, { level: number }, Uint8Array>(gzip);

/**
 * Bundles a module and its imports into one file.
 *
 * @throws StartupError that lists each module that cannot run on an edge runtime
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
    plugins: [sharedModules, hostModules],
  }).catch(({ errors, message }: BuildFailure) => {
    throw new StartupError(
      errors?.map(({ text, location }) => location === null ? text : `${location.file}: ${text}`) ?? message,
    );
  });
  const bytes = await readFile(file);
  requireStatic(bytes.toString("utf8"));
  const gzipBytes = (await deflate(bytes, { level: 9 })).length;
  return { bytes: bytes.length, gzipBytes, modules: Object.keys(metafile.inputs) };
}

/** Resolves the packages that plugins share with the kernel to the kernel's copies. */
const sharedModules: Plugin = {
  name: "shared modules",
  setup({ onResolve, resolve }) {
    const ownModule = ownModuleResolver();
    onResolve({ filter: SHARED }, ({ path, kind, pluginData }) => {
      const own = ownModule(path);
      if (own !== undefined) return { path: fileURLToPath(own) };
      return pluginData === sharedModules
        ? undefined
        : resolve(path, { kind, resolveDir: ROOT, pluginData: sharedModules });
    });
  },
};

const hostModules: Plugin = {
  name: "host modules",
  setup({ onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({
      errors: [{
        text:
          `imports ${path}, which edge runtimes do not support: move the code that needs it to the plugin's host.ts`,
      }],
    }));
  },
};

function requireStatic(text: string): void {
  const forbidden = FORBIDDEN.filter(([pattern]) => (pattern as RegExp).test(text)).map(([, name]) =>
    `the bundle uses ${name}`
  );
  if (forbidden.length > 0) throw new StartupError(forbidden);
}
