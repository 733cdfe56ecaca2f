import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { type Source, sources, targetOf } from "./sources.ts";

/** The layers of core, each a folder. A layer may import only from layers before it, including types. */
export const LAYERS = [
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
/** The index of the SDK, the only module outside the layers. It re-exports from any of them. */
const INDEX = "core/mod.ts";

const core = sources("core");

function layerOf(path: string): string {
  return path.split("/")[1]!;
}

/** Returns `path -> target` for every import from a later layer. */
export function backwardImports(files: readonly Pick<Source, "path" | "imports">[]): string[] {
  return files.filter(({ path }) => path !== INDEX).flatMap(({ path, imports }) =>
    imports.map((specifier) => targetOf(path, specifier))
      .filter((target) =>
        target.startsWith("core/") &&
        (target === INDEX || LAYERS.indexOf(layerOf(target)) > LAYERS.indexOf(layerOf(path)))
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

describe("the checks", () => {
  test("detect an import from a later layer", () => {
    const backward = [{ path: "core/base/call.ts", imports: ["../host/cli/main.ts"] }];
    expect(backwardImports(backward)).toEqual(["core/base/call.ts -> core/host/cli/main.ts"]);
    expect(backwardImports([{ path: "core/host/cli/main.ts", imports: ["../../base/call.ts"] }])).toEqual([]);
    expect(backwardImports([{ path: "core/base/call.ts", imports: ["../mod.ts"] }])).toHaveLength(1);
  });

  test("detect a cycle of folders", () => {
    const cycle = [
      { path: "core/net/http1/server.ts", imports: ["../http2/socket.ts"] },
      { path: "core/net/http2/socket.ts", imports: ["../http1/server.ts"] },
    ];
    expect(folderCycles(cycle)).toEqual(["core/net/http1 -> core/net/http2 -> core/net/http1"]);
    expect(folderCycles(cycle.slice(0, 1))).toEqual([]);
  });
});

test("core consists of the layers and its index", () => {
  const outside = core.map(({ path }) => path).filter((path) => path.split("/").length === 2);
  expect(outside).toEqual([INDEX]);
  expect([...new Set(core.filter(({ path }) => path !== INDEX).map(({ path }) => layerOf(path)))].sort())
    .toEqual([...LAYERS].sort());
});

test("layers of core import only from earlier layers", () => {
  expect(backwardImports(core)).toEqual([]);
});

test("folders of core do not have circular imports", () => {
  expect(folderCycles(core.filter(({ path }) => path !== INDEX))).toEqual([]);
});
