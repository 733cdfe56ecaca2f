import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { StartupError } from "../../base/startup_error.ts";
import { ConnectionPool } from "../../net/connection_pool.ts";

/** Files and sockets of a server beside connections of clients: the database, logs, jobs, monitoring. */
const OWN_FILES = 200;
/** With fewer files, a server cannot even read its modules and open its database. */
const MIN_FILES = 96;
/** With fewer connections, a server is of no use. */
const MIN_CONNECTIONS = 16;
const MIN_RESERVE = 32;
const MAX_RESERVE = 256;

/**
 * Returns how many files and sockets this process may have open, or undefined if the system does not say. Deno and Node
 * raise the soft limit to the hard one when they start.
 */
export function openFileLimit(): number | undefined {
  if (process.platform === "win32") return undefined;
  const limit = /^Max open files\s+(\d+)/m.exec(ownLimits())?.[1] ?? shellLimit();
  return limit !== undefined && /^\d+$/.test(limit) ? Number(limit) : undefined;
}

/** Returns how many files are wanted for a number of connections. */
export function filesFor(connections: number): number {
  return connections + OWN_FILES;
}

/**
 * Refuses to start with so few files that the start would end somewhere in the middle.
 *
 * @throws StartupError that names the limit and how to raise it
 */
export function requireOpenFiles(limit = openFileLimit()): void {
  if (limit !== undefined && limit < MIN_FILES) throw new StartupError(tooFewFiles(limit));
}

export function tooFewFiles(limit: number | undefined): string {
  const count = limit === undefined ? "too few" : `only ${limit}`;
  return `the process may open ${count} files; raise the limit: ulimit -n 1024, or LimitNOFILE=1024 of systemd`;
}

/**
 * Returns the connections of clients that the limit of open files leaves room for. Some files are kept for what a running
 * server opens: files of the database and of logs, pipes of child processes, connections of its own.
 *
 * Deno accepts up to 128 waiting connections in one turn of the event loop and closes those that are refused only at its
 * end. Accepting fails for good if the files are used up meanwhile (Deno 2.9.6), so with few files, few may wait.
 *
 * @throws StartupError if they are too few to serve
 */
export function connectionsFor(limit: number | undefined, openFiles: number): ConnectionPool {
  if (limit === undefined) return new ConnectionPool();
  const reserve = Math.min(MAX_RESERVE, Math.max(MIN_RESERVE, Math.floor(limit / 4)));
  const connections = limit - openFiles - reserve;
  if (connections < MIN_CONNECTIONS) throw new StartupError(`${tooFewFiles(limit)} (${openFiles} are open)`);
  return reserve === MAX_RESERVE
    ? new ConnectionPool(connections)
    : new ConnectionPool(connections, Math.floor(reserve / 4));
}

/** Returns how many files and sockets this process has open. */
export function openFileCount(): number {
  try {
    return readdirSync("/dev/fd").length;
  } catch {
    return OWN_FILES;
  }
}

function ownLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}

/** Asks a shell, which has the limits of its parent. */
function shellLimit(): string | undefined {
  try {
    return execFileSync("/bin/sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
