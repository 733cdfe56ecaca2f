import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The npm package that contains and runs Cloudflare's workerd. */
export const MINIFLARE_PACKAGE = "miniflare@4.20260730.0";

/** The folder of the package, outside the project, since only tests of edge runtimes need its 170 MB. */
export const MINIFLARE_FOLDER = join(tmpdir(), "edgehelm-miniflare-4.20260730.0");

/** Returns true if miniflare is installed, and prints a warning otherwise. */
export function miniflareRuns(): boolean {
  const runs = existsSync(join(MINIFLARE_FOLDER, "node_modules/miniflare/package.json"));
  if (!runs) {
    console.warn(
      `SKIPPED: ${MINIFLARE_FOLDER} is missing (test/servers/install_miniflare.ts), so tests inside workerd do not run`,
    );
  }
  return runs;
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
