import { link, open, rename, rm, stat } from "node:fs/promises";
import process from "node:process";

/** Makes renames and links in a directory durable. */
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

/** Returns the message of a thrown value. */
export function errorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * Renames a finished file unless the new name exists, even if another process creates it meanwhile.
 *
 * @returns false if the name exists
 */
export async function publish(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    await rm(draft);
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    // Some file systems, such as FAT, do not support links.
    if (await exists(path)) return false;
    await rename(draft, path);
    return true;
  }
}

/** Formats a size for humans, for example `27.4 MiB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
