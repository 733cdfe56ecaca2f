import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmProgramRuns } from "./npm_program.ts";

/** The npm package that contains and runs Cloudflare's workerd. */
const MINIFLARE_PACKAGE = "miniflare@4.20260730.0";

/** The folder of the package, outside the project, since only tests of edge runtimes need its 170 MB. */
export const MINIFLARE_FOLDER = join(tmpdir(), "edgehelm-miniflare-4.20260730.0");

/** Installs miniflare on first use, and returns true if it can run. */
export function miniflareRuns(): boolean {
  return npmProgramRuns({
    name: MINIFLARE_PACKAGE,
    folder: MINIFLARE_FOLDER,
    file: "node_modules/miniflare/package.json",
  });
}

/** The used part of the Miniflare class. */
export interface Miniflare {
  readonly ready: Promise<URL>;
  getWorker(): Promise<{ scheduled(event: { readonly cron: string }): Promise<{ readonly outcome: string }> }>;
  dispose(): Promise<void>;
}

/** Loads the Miniflare class. Deno can load a CommonJS package outside the project only by createRequire. */
export function loadMiniflare(): new (options: Readonly<Record<string, unknown>>) => Miniflare {
  return createRequire(join(MINIFLARE_FOLDER, "node_modules/any.cjs"))("miniflare").Miniflare;
}
