import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** Replaces a file: after a crash it has the old content or the new one. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeAll(openSync(draft, "w", 0o600), text);
  renameSync(draft, path);
  syncDirectory(dirname(path));
}

/** Appends to a file and waits until the disk has it. */
export function appendSynced(path: string, text: string): void {
  writeAll(openSync(path, "a", 0o600), text);
}

export function syncDirectory(path: string): void {
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function writeAll(file: number, text: string): void {
  try {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
