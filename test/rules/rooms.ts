import { posix } from "node:path";
import { type Source, targetOf } from "./sources.ts";

/** The rooms of core: folders in dependency order. A room may import only from rooms before it, including types. */
export const ROOMS: readonly string[] = [
  "base",
  "protobuf",
  "client",
  "net",
  "fields",
  "outbound",
  "storage",
  "events",
  "auth",
  "plugin_api",
  "calls",
  "jobs",
  "kernel",
  "sdk",
  "transports",
  "edge",
  "host",
];
/** The index of the SDK, the only module outside the rooms. It re-exports from any of them. */
export const INDEX = "core/mod.ts";

export function roomOf(path: string): string {
  return path.split("/")[1]!;
}

/** Returns `path -> target` for every import from a later room. */
export function backwardImports(files: readonly Pick<Source, "path" | "imports">[]): string[] {
  return files.filter(({ path }) => path !== INDEX).flatMap(({ path, imports }) =>
    imports.map((specifier) => targetOf(path, specifier))
      .filter((target) =>
        target.startsWith("core/") && (target === INDEX || ROOMS.indexOf(roomOf(target)) > ROOMS.indexOf(roomOf(path)))
      )
      .map((target) => `${path} -> ${target}`)
  );
}

/** Returns the circular imports between folders as `a -> b -> a`, including types. */
export function folderCycles(files: readonly Pick<Source, "path" | "imports">[]): string[] {
  const folders = new Set(files.map(({ path }) => posix.dirname(path)));
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const folder = posix.dirname(path);
    const targets = graph.get(folder) ?? new Set();
    graph.set(folder, targets);
    for (const specifier of imports) {
      const target = posix.dirname(targetOf(path, specifier));
      if (target !== folder && folders.has(target)) targets.add(target);
    }
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  function visit(folder: string, trail: readonly string[]): void {
    if (trail.includes(folder)) cycles.push([...trail.slice(trail.indexOf(folder)), folder].join(" -> "));
    if (done.has(folder) || trail.includes(folder)) return;
    for (const target of graph.get(folder) ?? []) visit(target, [...trail, folder]);
    done.add(folder);
  }
  for (const folder of graph.keys()) visit(folder, []);
  return cycles;
}
