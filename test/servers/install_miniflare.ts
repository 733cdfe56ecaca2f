import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { MINIFLARE_FOLDER, MINIFLARE_PACKAGE, miniflareRuns } from "./miniflare_package.ts";

// No install script is needed: workerd lies ready in a package of its own.
if (!miniflareRuns()) {
  mkdirSync(MINIFLARE_FOLDER, { recursive: true });
  const words = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", MINIFLARE_FOLDER];
  execFileSync("npm", [...words, MINIFLARE_PACKAGE], { stdio: "inherit" });
}
