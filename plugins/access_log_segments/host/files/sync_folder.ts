import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the entries of a folder durable. */
export function syncFolder(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
