import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { ROOT } from "../settings/settings.ts";

/** The program, and the module with the commands for any installation, which it imports when one of them runs. */
const ENTRIES = ["core/host/cli/main.js", "core/host/api_cli/mod.js"];
/** The modules that nothing but the program imports. The others stay as they are: plugins share them. */
const OWN_MODULES = /^core\/(?:client\/|host\/api_cli\/|host\/cli\/(?:main|command_line|failure|import_later)\.js$)/;

/**
 * Bundles the program of a packed project, and the commands for any installation with the packages that they need, so that
 * it starts with a few files.
 */
export async function bundleProgram(out: string): Promise<void> {
  const { build } = await import("esbuild");
  await build({
    entryPoints: ENTRIES.map((entry) => join(out, entry)),
    outdir: out,
    outbase: out,
    // what both entries contain, such as the classes of errors, must exist once
    splitting: true,
    chunkNames: "core/host/cli/shared_[hash]",
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    sourcemap: true,
    plugins: [sharedModules(out)],
    // CommonJS packages in the bundle require modules of Node
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  });
}

/** Leaves the modules that plugins share out of the bundle. */
function sharedModules(out: string): Plugin {
  return {
    name: "shared-modules",
    setup(build) {
      // packages are those of the project: there are none beside the output
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, pluginData }) => {
        if (kind === "entry-point" || pluginData === ROOT || relative(out, importer).startsWith("..")) return undefined;
        return await build.resolve(path, { kind, resolveDir: ROOT, pluginData: ROOT });
      });
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, importer }) => {
        // the folders of dependencies
        if (relative(out, importer).startsWith("..")) return undefined;
        const module = relative(out, join(resolveDir, path)).split(sep).join("/");
        if (OWN_MODULES.test(module)) return undefined;
        // from a folder in core/host, as all that esbuild writes is
        return { path: `../../../${module}`, external: true };
      });
    },
  };
}
