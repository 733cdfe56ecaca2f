import { closeSync, fstatSync, openSync, statSync } from "node:fs";

/** The descriptors of database files by device and inode. */
const held = new Map<string, number>();

/**
 * Returns a descriptor to read a database file, which stays open as long as the file exists. Closing any descriptor of a
 * file releases all POSIX locks that the process holds on it, which SQLite would not notice: a connection that is closed
 * lives until it is collected, and those that are opened meanwhile rely on its locks. Another process could then take
 * itself for the only one, and delete the write-ahead log.
 */
export function heldDescriptor(path: string): number {
  for (const [file, descriptor] of held) {
    if (fstatSync(descriptor).nlink > 0) continue;
    held.delete(file);
    closeSync(descriptor);
  }
  const { dev, ino } = statSync(path);
  const file = `${dev}:${ino}`;
  const known = held.get(file);
  if (known !== undefined) return known;
  const descriptor = openSync(path, "r");
  held.set(file, descriptor);
  return descriptor;
}
