import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { MINIFLARE_FOLDER, MINIFLARE_PACKAGE, miniflareRuns } from "./miniflare_package.ts";

// No install script is needed: workerd comes as a prebuilt package.
if (!miniflareRuns()) {
  mkdirSync(MINIFLARE_FOLDER, { recursive: true });
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", MINIFLARE_FOLDER];
  execFileSync("npm", [...args, MINIFLARE_PACKAGE], { stdio: "inherit" });
}
