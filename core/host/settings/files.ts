import { link, open, rename, rm, stat } from "node:fs/promises";
import process from "node:process";

/** Makes what was renamed or linked in a directory outlive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return false;
    throw cause;
  }
}

export function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}

/** What went wrong, in words. */
export function wordCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Gives a finished file its name, or false when that is taken, also by somebody who was faster. */
export async function publish(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    await rm(draft);
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    // Some file systems, such as those of memory sticks, know no links.
    if (await exists(path)) return false;
    await rename(draft, path);
    return true;
  }
}

/** A size for people: `27.4 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
