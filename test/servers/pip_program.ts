import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { reportMissing } from "../harness/needs.ts";

/** The package that derives requests from an OpenAPI document and checks the responses. */
const SCHEMATHESIS = "schemathesis==4.32.5";
const FOLDER = join(tmpdir(), `edgehelm-${SCHEMATHESIS}`);

/** A file that exists once the package is installed. */
const MARKER = "installed";

let isInstalled: boolean | undefined;

/** Installs schemathesis on first use. Returns the command that runs it, or undefined if that is not possible. */
export function schemathesisCommand(): readonly string[] | undefined {
  isInstalled ??= installed();
  if (isInstalled) return [join(FOLDER, "bin/python"), "-m", "schemathesis.cli"];
  reportMissing("python3-venv and schemathesis from PyPI");
  return undefined;
}

function installed(): boolean {
  if (existsSync(join(FOLDER, MARKER))) return true;
  const staging = `${FOLDER}.${process.pid}`;
  try {
    run("python3", ["-m", "venv", staging]);
    run(join(staging, "bin/python"), ["-m", "pip", "install", "--quiet", SCHEMATHESIS]);
    writeFileSync(join(staging, MARKER), "");
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(staging, FOLDER);
    return true;
  } catch (error) {
    console.warn(`cannot install ${SCHEMATHESIS}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}
