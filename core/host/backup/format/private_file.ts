import { statfsSync } from "node:fs";
import { chmod, type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { StartupError } from "../../../base/startup_error.ts";
import { hasCode, sizeText } from "../../settings/files.ts";
import type { Chunks } from "./pieces.ts";

/** An allowance for file system overhead beyond the database pages. */
const SPARE_BYTES = 1024 * 1024;

/** Creates an empty file that only its owner can read. */
export async function createPrivate(path: string): Promise<void> {
  await (await open(path, "wx", 0o600)).close();
  // The mode given to open() is subject to the umask.
  await chmod(path, 0o600);
}

/**
 * Writes chunks durably into a new file that only its owner can read, in place of one that exists.
 *
 * @param onWritten called with the number of bytes written so far
 */
export async function writePrivate(
  path: string,
  chunks: Chunks,
  onWritten: (bytes: number) => void = () => {},
): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    await copyInto(file, chunks, onWritten);
    await file.sync();
  } catch (cause) {
    if (hasCode(cause, "ENOSPC")) throw new StartupError(`no space left on the disk of "${dirname(path)}"`, { cause });
    throw cause;
  } finally {
    await file.close();
  }
}

async function copyInto(file: FileHandle, chunks: Chunks, onWritten: (bytes: number) => void): Promise<void> {
  let written = 0;
  for await (const chunk of chunks) {
    await file.writeFile(chunk);
    onWritten(written += chunk.length);
  }
}

/** The space that a file needs, and that its disk has, in bytes. */
export interface DiskSpace {
  readonly neededBytes: number;
  readonly freeBytes: number;
}

/** Returns the space for a file of a size in a folder that exists. */
export function spaceFor(directory: string, bytes: number): DiskSpace {
  const { bavail, bsize } = statfsSync(directory);
  return { neededBytes: bytes + SPARE_BYTES, freeBytes: bavail * bsize };
}

/** @throws StartupError if the disk of a folder has no room for a file */
export function requireFreeSpace(directory: string, bytes: number, task = "backup"): void {
  const { neededBytes, freeBytes } = spaceFor(directory, bytes);
  if (freeBytes >= neededBytes) return;
  throw new StartupError(
    `the ${task} needs about ${sizeText(neededBytes)}, but the disk of "${directory}" has only ${
      sizeText(freeBytes)
    } free`,
  );
}
