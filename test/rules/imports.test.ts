import { describe, expect, test } from "vitest";
import { readModule, type Source, sources, targetOf } from "./sources.ts";

const core = sources("core");
const plugins = sources("plugins").filter(({ path }) => !path.endsWith("_pb.ts"));
const harness = sources("test/harness");

const IN_HOST = /^core\/host\/|^plugins\/[^/]+\/(host\.ts|host\/)/;
const SDK = /^edgehelm$|^edgehelm\/proto\/.*_pb\.js$|^@bufbuild\/protobuf(\/|$)/;
const KYSELY_AT = /\/(store(_[a-z_]+)?\.ts|migrations\/.+\.ts)$/;

/** `path -> specifier` for every import that a rule forbids. */
function forbidden(
  files: readonly Source[],
  rule: (target: string, path: string, specifier: string) => boolean,
): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter((one) => rule(targetOf(path, one), path, one)).map((one) => `${path} -> ${one}`)
  );
}

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

describe("the scanner", () => {
  test("sees imports, re-exports, dynamic imports, globals and decorators", () => {
    const read = readModule(`
      import type { A } from "a"; import "b"; export * from "c";
      // import "comment"; Deno
      @x class C { m = process.argv; o = { Deno: 1 }; async n() { await import("d"); return y.process } }`);
    expect(read).toMatchObject({ imports: ["a", "b", "c"], runtimeImports: ["b", "c"], hasDynamicImport: true });
    expect(read.hasDecorator).toBe(true);
    expect(read.identifiers.has("process")).toBe(true);
    expect(read.identifiers.has("Deno")).toBe(false);
  });

  test("has something to look at", () => {
    expect(core.length).toBeGreaterThan(50);
    expect(plugins.length).toBeGreaterThan(10);
    expect(harness.length).toBeGreaterThan(3);
  });
});

test("core imports neither plugins nor tests", () => {
  expect(forbidden(core, (target) => /^(plugins|test)\//.test(target) || target.startsWith("edgehelm"))).toEqual([]);
});

test("the machine is touched in host modules only", () => {
  const elsewhere = [...core, ...plugins].filter(({ path }) => !IN_HOST.test(path));
  const touching = elsewhere.filter(({ imports, identifiers, hasDynamicImport }) =>
    hasDynamicImport || identifiers.has("Deno") || identifiers.has("process") ||
    imports.some((specifier) => specifier.startsWith("node:"))
  );
  expect(touching.map(({ path }) => path)).toEqual([]);
});

test("a plugin imports the SDK, its own folder, and contracts and messages of others", () => {
  expect(forbidden(plugins, (target, path, specifier) => {
    if (SDK.test(specifier) || IN_HOST.test(path) && !specifier.startsWith(".")) return false;
    if (specifier === "kysely" || specifier === "kysely/migration") return !KYSELY_AT.test(path);
    if (!specifier.startsWith(".")) return true;
    if (target.startsWith(`${folderOf(path)}/`)) return false;
    return !/^plugins\/[^/]+\/(contract|[a-z_0-9]+_pb)\.ts$/.test(target);
  })).toEqual([]);
});

test("a contract imports the SDK and messages only", () => {
  const contracts = plugins.filter(({ path }) => path.endsWith("/contract.ts"));
  expect(contracts.length).toBeGreaterThan(0);
  expect(
    forbidden(contracts, (target, path, specifier) =>
      specifier !== "edgehelm" && !SDK.test(specifier) &&
      !(target.startsWith(`${folderOf(path)}/`) && target.endsWith("_pb.ts"))),
  ).toEqual([]);
});

test("the host imports nothing of plugins, and the rest of core nothing of the host", () => {
  const rest = core.filter(({ path }) => !path.startsWith("core/host/"));
  expect(forbidden(rest, (target) => target.startsWith("core/host/"))).toEqual([]);
});

test("modules do not import each other in circles, types included", () => {
  const files = [...core, ...plugins];
  const byPath = new Map(files.map((source) => [source.path, source]));
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const specifier of byPath.get(path)?.imports ?? []) visit(targetOf(path, specifier), [...trail, path]);
    done.add(path);
  }
  for (const { path } of files) visit(path, []);
  expect(circles).toEqual([]);
});

test("the container library is used in one file", () => {
  const users = [...core, ...plugins, ...harness].filter(({ imports }) => imports.includes("tsyringe"));
  expect(users.map(({ path }) => path)).toEqual(["core/kernel/container.ts"]);
});

test("nothing is decorated", () => {
  const decorated = [...core, ...plugins, ...harness].filter(({ hasDecorator }) => hasDecorator);
  expect(decorated.map(({ path }) => path)).toEqual([]);
});

test("vendors can use the test harness with any test runner", () => {
  expect(forbidden(harness, (target) => target.startsWith("vitest"))).toEqual([]);
});
