import { posix } from "node:path";
import { type Source, targetOf } from "./sources.ts";

/** The rooms of core. A room imports only from rooms that stand before it; `import type` counts too. */
export const ROOMS: readonly string[] = [
  "base",
  "protobuf",
  "net",
  "fields",
  "storage",
  "auth",
  "plugin_api",
  "calls",
  "jobs",
  "nodes",
  "kernel",
  "transports",
  "edge",
  "host",
];
/** The SDK's index lies beside the rooms and re-exports from any of them. */
export const INDEX = "core/mod.ts";

export function roomOf(path: string): string {
  return path.split("/")[1]!;
}

/** `path -> target` for every import that leads to a later room. */
export function backwardImports(files: readonly Pick<Source, "path" | "imports">[]): string[] {
  return files.filter(({ path }) => path !== INDEX).flatMap(({ path, imports }) =>
    imports.map((specifier) => targetOf(path, specifier))
      .filter((target) =>
        target.startsWith("core/") && (target === INDEX || ROOMS.indexOf(roomOf(target)) > ROOMS.indexOf(roomOf(path)))
      )
      .map((target) => `${path} -> ${target}`)
  );
}

/** The folders that import each other in a circle, as `a -> b -> a`; types count too. */
export function folderCircles(files: readonly Pick<Source, "path" | "imports">[]): string[] {
  const known = new Set(files.map(({ path }) => posix.dirname(path)));
  const graph = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const folder = posix.dirname(path);
    const targets = graph.get(folder) ?? new Set();
    graph.set(folder, targets);
    for (const specifier of imports) {
      const target = posix.dirname(targetOf(path, specifier));
      if (target !== folder && known.has(target)) targets.add(target);
    }
  }
  const circles: string[] = [];
  const done = new Set<string>();
  function visit(folder: string, trail: readonly string[]): void {
    if (trail.includes(folder)) circles.push([...trail.slice(trail.indexOf(folder)), folder].join(" -> "));
    if (done.has(folder) || trail.includes(folder)) return;
    for (const target of graph.get(folder) ?? []) visit(target, [...trail, folder]);
    done.add(folder);
  }
  for (const folder of graph.keys()) visit(folder, []);
  return circles;
}
