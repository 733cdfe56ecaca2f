import { rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Plugin } from "esbuild";
import { ROOT } from "../settings/settings.ts";

const PROGRAM = "core/host/cli/main.js";
/** The modules of the program that nothing else imports. The others stay as they are: plugins share them. */
const OWN_MODULES = /^core\/(?:client\/|host\/api_cli\/|host\/cli\/(?:main|command_line|failure)\.js$)/;

/**
 * Bundles the program of a packed project with what its commands for any installation need, so that it starts with a few
 * modules. What only those commands use is then no longer in the package.
 */
export async function bundleProgram(out: string): Promise<void> {
  const { build } = await import("esbuild");
  const program = join(out, PROGRAM);
  await build({
    entryPoints: [program],
    outfile: program,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    sourcemap: true,
    nodePaths: [join(ROOT, "node_modules")],
    plugins: [sharedModules(out)],
    // CommonJS packages in the bundle require modules of Node
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  await rm(join(out, "core/host/api_cli"), { recursive: true });
  for (const name of ["command_line", "failure"]) {
    for (const ending of ["js", "js.map", "d.ts"]) await rm(join(out, `core/host/cli/${name}.${ending}`));
  }
}

/** Leaves the modules that plugins share out of the bundle. */
function sharedModules(out: string): Plugin {
  return {
    name: "shared-modules",
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, importer }) => {
        // the folders of dependencies
        if (relative(out, importer).startsWith("..")) return undefined;
        const module = relative(out, join(resolveDir, path)).split(sep).join("/");
        if (OWN_MODULES.test(module)) return undefined;
        const fromProgram = relative(join(out, PROGRAM, ".."), join(out, module)).split(sep).join("/");
        return { path: fromProgram.startsWith(".") ? fromProgram : `./${fromProgram}`, external: true };
      });
    },
  };
}
