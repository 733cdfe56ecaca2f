import { randomUUID } from "node:crypto";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/** Returns the folder of profiles, which hold secrets. */
export function configFolder(): string {
  return join(process.env["XDG_CONFIG_HOME"] || process.env["APPDATA"] || join(homedir(), ".config"), "edgehelm");
}

/** Returns the folder of documents that can be fetched again. */
export function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || process.env["LOCALAPPDATA"] || join(homedir(), ".cache"), "edgehelm");
}

/** Writes a file that only its owner can read. Readers see the old or the new content, never a part. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await chmod(draft, 0o600);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
