import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { StartupError } from "../../../base/startup_error.ts";
import { errorMessage } from "../../settings/files.ts";

/** A check of the files of a plugin. */
export interface PluginCheck {
  /** A sentence that is true if the check finds nothing. */
  readonly name: string;
  /** Returns a line for each finding: the file, what is wrong with it, and what to do. */
  run(): Promise<readonly string[]>;
}

/** The files of a plugin and what plugin.json says. */
export interface PluginFolder {
  readonly path: string;
  /** The paths of its own files relative to the folder, with slashes. */
  readonly files: readonly string[];
  readonly manifest: {
    readonly services?: readonly string[];
    readonly requires?: Readonly<Record<string, string>>;
    readonly host?: string;
  };
}

// Installed packages, data and build output are no files of the plugin.
const NOT_OWN = /^(?:node_modules|data|dist|coverage|\..*)$/;

/** @throws StartupError if plugin.json is missing or is not JSON */
export async function readPluginFolder(path: string): Promise<PluginFolder> {
  const manifestPath = join(path, "plugin.json");
  if (!existsSync(manifestPath)) {
    throw new StartupError(`${manifestPath} does not exist: write one, such as plugin new makes`);
  }
  try {
    const manifest = JSON.parse(await readFile(manifestPath, "utf8"));
    return { path, files: (await filesBelow(path)).sort(), manifest };
  } catch (cause) {
    throw new StartupError(`${manifestPath}: ${errorMessage(cause)}`, { cause });
  }
}

async function filesBelow(root: string, below = ""): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const paths = await Promise.all(
    entries.filter(({ name }) => !NOT_OWN.test(name)).map(async (entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? await filesBelow(root, path) : [path];
    }),
  );
  return paths.flat();
}

/** Returns the nearest folder, from `folder` upwards, that has the file. */
export function folderWith(file: string, folder: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    if (existsSync(join(at, file))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** True for the modules that only tests run. */
export function isTest(file: string): boolean {
  return /^test\/|\.test\.[jt]sx?$/.test(file);
}

/** True for the modules of a program for other machines, such as the agent of a node, which installations get bundled. */
export function isProgram(file: string): boolean {
  return file.startsWith("agent/");
}

/** True for the sources of what a plugin contains built, which are pages and programs, and for what builds them. */
export function isForBuild(file: string): boolean {
  return isProgram(file) || /^app\/|^host\/build\.[jt]s$/.test(file);
}
