import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

const IGNORED_FOLDERS = new Set(["node_modules", "dist", "coverage"]);
/** The files that editors leave for a moment, and those that no plugin runs. */
const IGNORED_FILES = /^\.|~$|\.sw[a-z]$|^4913$|\.(?:md|log|bak)$|\.test\.ts$/;

/** The files of some folders, each with a mark that changes when the file does. */
export interface FileSnapshot {
  readonly files: ReadonlyMap<string, string>;
  /** The folders, with those inside them. */
  readonly folders: readonly string[];
}

/**
 * Reads the files of plugins.
 *
 * @param roots folders that are read with those inside them
 * @param single paths of other files
 * @param isIgnored returns true for folders to leave out
 */
export function readSnapshot(
  roots: readonly string[],
  single: readonly string[],
  isIgnored: (folder: string) => boolean,
): FileSnapshot {
  const files = new Map<string, string>();
  const folders: string[] = [];
  function read(folder: string): void {
    folders.push(folder);
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && !IGNORED_FOLDERS.has(entry.name) && !isIgnored(path)) read(path);
      } else if (!IGNORED_FILES.test(entry.name)) note(path, files);
    }
  }
  for (const root of roots) read(root);
  for (const path of single) note(path, files);
  return { files, folders };
}

/** Returns the paths of the files that differ: changed, added or deleted ones. */
export function changedFiles(before: FileSnapshot, after: FileSnapshot): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path));
}

/** Returns the time at which a file was modified, in unix milliseconds; 0 if it does not exist. */
export function modifiedAt({ files }: FileSnapshot, path: string): number {
  return Number(BigInt(files.get(path)?.split(" ")[0] ?? 0n) / 1_000_000n);
}

/** True for a file of tests, which a plugin does not run unless it imports it. */
export function isOfTests(path: string): boolean {
  return /[\\/]test[\\/]/.test(path) || basename(path).endsWith(".test.ts");
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // deleted meanwhile
    return [];
  }
}

function note(path: string, files: Map<string, string>): void {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile()) files.set(path, `${stats.mtimeNs} ${stats.size} ${stats.ino}`);
}
