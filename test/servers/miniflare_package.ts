import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The npm package that runs Cloudflare's workerd, which it brings along. */
export const MINIFLARE_PACKAGE = "miniflare@4.20260730.0";

/** Where it is installed: outside the project, since only tests of edge runtimes need its 170 MB. */
export const MINIFLARE_FOLDER = join(tmpdir(), "edgehelm-miniflare-4.20260730.0");

/** Whether miniflare is installed; says so loudly when it is not. */
export function miniflareRuns(): boolean {
  const runs = existsSync(join(MINIFLARE_FOLDER, "node_modules/miniflare/package.json"));
  if (!runs) {
    console.warn(
      `SKIPPED: ${MINIFLARE_FOLDER} is missing (test/servers/install_miniflare.ts), so tests inside workerd do not run`,
    );
  }
  return runs;
}

/** What is used of it. */
export interface Miniflare {
  readonly ready: Promise<URL>;
  getWorker(): Promise<{ scheduled(event: { readonly cron: string }): Promise<{ readonly outcome: string }> }>;
  dispose(): Promise<void>;
}

/** The class. It is CommonJS, and Deno has no other way to it out there. */
export function loadMiniflare(): new (options: Readonly<Record<string, unknown>>) => Miniflare {
  return createRequire(join(MINIFLARE_FOLDER, "node_modules/any.cjs"))("miniflare").Miniflare;
}
