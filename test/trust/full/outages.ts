import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { failCalls } from "../../servers/failing_calls.ts";
import type { Server } from "../../harness/server.ts";

/** Something that goes wrong with the disk or the process of a server, until it ends. */
export interface Outage {
  readonly name: string;
  /** True if no write may be acknowledged meanwhile, undefined if some may be. */
  readonly refusesAll?: true;
  /** True if no write need be refused. */
  readonly refusesNone?: true;
  begin(server: Server, database: string): Promise<() => Promise<void>>;
}

/** Returns the outages that this machine can make. Those with strace fail system calls on the files of the database. */
export function outages(mountPoint: string | undefined): Outage[] {
  const injected: Outage[] = [
    { name: "no space", refusesAll: true, begin: failing("pwrite64", "ENOSPC") },
    { name: "failed sync", refusesAll: true, begin: failing("fsync,fdatasync", "EIO") },
    { name: "read-only disk", refusesAll: true, begin: failing("pwrite64", "EROFS") },
    { name: "no descriptors", refusesNone: true, begin: failing("openat,accept4,socket", "EMFILE", false) },
  ];
  return mountPoint === undefined ? injected : [...injected, { name: "full disk", begin: () => fillDisk(mountPoint) }];
}

/** Fails system calls, on the files of the database unless said otherwise. */
function failing(calls: string, error: string, onDatabaseOnly = true): Outage["begin"] {
  return (server, database) =>
    failCalls(server, { calls, error, paths: onDatabaseOnly ? [database, `${database}-wal`] : [] });
}

/** Fills the disk with a file. */
function fillDisk(mountPoint: string): Promise<() => Promise<void>> {
  const path = join(mountPoint, "filler");
  const file = openSync(path, "w");
  for (const size of [65_536, 4096, 1]) {
    const chunk = new Uint8Array(size);
    try {
      while (writeSync(file, chunk) === size);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOSPC") throw error;
    }
  }
  closeSync(file);
  return Promise.resolve(() => Promise.resolve(rmSync(path)));
}

/** Mounts a small disk in memory, if the machine allows it. */
export function mountSmallDisk(directory: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m,mode=0700", "tmpfs", directory]).status === 0;
}

export function unmount(directory: string): void {
  spawnSync("umount", ["-l", directory]);
}
