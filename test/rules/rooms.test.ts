import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { type Source, sources, targetOf } from "./sources.ts";

/** The rooms of core. A room imports only from rooms that stand before it; `import type` counts too. */
export const ROOMS = [
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
/** What may lie beside the rooms: the SDK's index, which re-exports from any of them. */
const INDEX = "core/mod.ts";

const core = sources("core");

function roomOf(path: string): string {
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

describe("the rule itself", () => {
  test("sees an import that is turned around, also one of types in a folder below", () => {
    const turned = [{ path: "core/base/call.ts", imports: ["../host/cli/main.ts"] }];
    expect(backwardImports(turned)).toEqual(["core/base/call.ts -> core/host/cli/main.ts"]);
    expect(backwardImports([{ path: "core/host/cli/main.ts", imports: ["../../base/call.ts"] }])).toEqual([]);
    expect(backwardImports([{ path: "core/base/call.ts", imports: ["../mod.ts"] }])).toHaveLength(1);
  });

  test("sees a circle of folders", () => {
    const circle = [
      { path: "core/net/http1/server.ts", imports: ["../http2/socket.ts"] },
      { path: "core/net/http2/socket.ts", imports: ["../http1/server.ts"] },
    ];
    expect(folderCircles(circle)).toEqual(["core/net/http1 -> core/net/http2 -> core/net/http1"]);
    expect(folderCircles(circle.slice(0, 1))).toEqual([]);
  });
});

test("core holds rooms, its index and its guides, and nothing loose", () => {
  const loose = core.map(({ path }) => path).filter((path) => path.split("/").length === 2);
  expect(loose).toEqual([INDEX]);
  expect([...new Set(core.filter(({ path }) => path !== INDEX).map(({ path }) => roomOf(path)))].sort())
    .toEqual([...ROOMS].sort());
});

test("rooms of core import only from rooms before them", () => {
  expect(backwardImports(core)).toEqual([]);
});

test("folders of core do not import each other in circles", () => {
  expect(folderCircles(core.filter(({ path }) => path !== INDEX))).toEqual([]);
});
