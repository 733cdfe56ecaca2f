import { describe, expect, test } from "vitest";
import { readModule, type Source, sources, targetOf } from "./sources.ts";

const core = sources("core");
const plugins = sources("plugins").filter(({ path }) => !path.endsWith("_pb.ts"));
const harness = sources("test/harness");

const IN_HOST = /^core\/host\/|^plugins\/[^/]+\/(host\.ts|host\/)/;
const SDK = /^edgehelm(\/[a-z]+)?$|^edgehelm\/proto\/.*_pb\.js$|^@bufbuild\/protobuf(\/|$)/;
/** The programs of nodes, which run on machines of their own and know the server by its messages only. */
const IN_AGENT = /^plugins\/[^/]+\/agent\//;
const FOR_AGENTS = /^(node:[a-z_/]+|esbuild|@connectrpc\/connect(-node)?|@bufbuild\/protobuf(\/.*)?)$/;
/** The pages of a plugin, which run in browsers and see nothing of its server. */
const IN_APP = /^plugins\/[^/]+\/app\//;
const FOR_APPS = new RegExp(
  [
    /^(preact(\/[a-z-]+)?|@preact\/signals|uplot|qrcode-generator|@codemirror\/[a-z-]+|@lezer\/highlight)$/,
    /^(edgehelm\/(client|wire)|edgehelm\/proto\/.*_pb\.js|@bufbuild\/protobuf(\/.*)?)$/,
  ].map(({ source }) => source).join("|"),
);
const NOT_FOR_PLUGINS = ["edgehelm/edge", "edgehelm/testing"];
const KYSELY_AT = /\/(store(_[a-z_]+)?\.ts|migrations\/.+\.ts)$/;

/** Returns `path -> specifier` for every import that a rule forbids. */
function forbidden(
  files: readonly Source[],
  rule: (target: string, path: string, specifier: string) => boolean,
): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.filter((specifier) => rule(targetOf(path, specifier), path, specifier))
      .map((specifier) => `${path} -> ${specifier}`)
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
    expect(read).toMatchObject({ imports: ["a", "b", "c"], runtimeImports: ["b", "c"], dynamicImports: ["d"] });
    expect(read.hasDecorator).toBe(true);
    expect(read.identifiers.has("process")).toBe(true);
    expect(read.identifiers.has("Deno")).toBe(false);
  });

  test("finds the modules", () => {
    expect(core.length).toBeGreaterThan(50);
    expect(plugins.length).toBeGreaterThan(10);
    expect(harness.length).toBeGreaterThan(3);
  });
});

test("core imports neither plugins nor tests", () => {
  expect(forbidden(core, (target) => /^(plugins|test)\//.test(target) || target.startsWith("edgehelm"))).toEqual([]);
});

test("only host modules use runtime APIs and dynamic imports", () => {
  const others = [...core, ...plugins].filter(({ path }) =>
    !IN_HOST.test(path) && !IN_APP.test(path) && !IN_AGENT.test(path)
  );
  // comments, reasons of errors and built pages are large, and loaded when they are asked for
  const isForbidden = (specifier: string | undefined) =>
    !/\/(comments_pb|reasons_pb|built\/assets)\.ts$/.test(specifier ?? "");
  const violations = others.filter(({ imports, identifiers, dynamicImports }) =>
    dynamicImports.some(isForbidden) || identifiers.has("Deno") || identifiers.has("process") ||
    imports.some((specifier) => specifier.startsWith("node:"))
  );
  expect(violations.map(({ path }) => path)).toEqual([]);
});

test("a plugin imports only the SDK, its own folder, and contracts and messages of other plugins", () => {
  expect(forbidden(plugins, (target, path, specifier) => {
    if (NOT_FOR_PLUGINS.includes(specifier)) return true;
    if (IN_APP.test(path)) return !FOR_APPS.test(specifier) && !IN_APP.test(target);
    if (IN_AGENT.test(path)) {
      const isMessage = /^plugins\/[^/]+\/proto\/[a-z_0-9]+_pb\.ts$/.test(target);
      return !FOR_AGENTS.test(specifier) && !IN_AGENT.test(target) && !isMessage;
    }
    if (SDK.test(specifier) || IN_HOST.test(path) && !specifier.startsWith(".")) return false;
    if (specifier === "kysely" || specifier === "kysely/migration") return !KYSELY_AT.test(path);
    if (!specifier.startsWith(".")) return true;
    if (target.startsWith(`${folderOf(path)}/`)) return false;
    return !/^plugins\/[^/]+\/(contract(\/[a-z_0-9]+)?|[a-z_0-9]+_pb)\.ts$/.test(target);
  })).toEqual([]);
});

test("no module of the server imports a program of nodes", () => {
  const others = [...core, ...plugins].filter(({ path }) => !IN_AGENT.test(path));
  expect(forbidden(others, (target) => IN_AGENT.test(target))).toEqual([]);
});

test("a contract imports only the SDK, its own messages and its own folder contract/", () => {
  const contracts = plugins.filter(({ path }) => /^plugins\/[^/]+\/contract(\.ts$|\/)/.test(path));
  expect(contracts.length).toBeGreaterThan(0);
  expect(
    forbidden(
      contracts,
      (target, path, specifier) =>
        !SDK.test(specifier) && !target.startsWith(`${folderOf(path)}/contract/`) &&
        !(target.startsWith(`${folderOf(path)}/`) && target.endsWith("_pb.ts")),
    ),
  ).toEqual([]);
});

test("modules outside core/host do not import from it", () => {
  const rest = core.filter(({ path }) => !path.startsWith("core/host/"));
  expect(forbidden(rest, (target) => target.startsWith("core/host/"))).toEqual([]);
});

test("modules have no circular imports, including types", () => {
  const files = [...core, ...plugins];
  const byPath = new Map(files.map((source) => [source.path, source]));
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const specifier of byPath.get(path)?.imports ?? []) visit(targetOf(path, specifier), [...trail, path]);
    done.add(path);
  }
  for (const { path } of files) visit(path, []);
  expect(cycles).toEqual([]);
});

test("the worker threads of access_log_segments do not load the kernel, which would multiply their start time", () => {
  const byPath = new Map(plugins.map((source) => [source.path, source]));
  const reached = new Set(byPath.keys().filter((path) => /\/host\/workers\/(reader|writer)_worker\.ts$/.test(path)));
  expect(reached.size).toBe(2);
  for (const path of reached) {
    for (const specifier of byPath.get(path)?.runtimeImports ?? []) reached.add(targetOf(path, specifier));
  }
  expect(reached).toContain("edgehelm/wire");
  expect(reached).not.toContain("edgehelm");
});

test("only one file imports the container library", () => {
  const users = [...core, ...plugins, ...harness].filter(({ imports }) => imports.includes("tsyringe"));
  expect(users.map(({ path }) => path)).toEqual(["core/kernel/container.ts"]);
});

test("no module uses decorators", () => {
  const decorated = [...core, ...plugins, ...harness].filter(({ hasDecorator }) => hasDecorator);
  expect(decorated.map(({ path }) => path)).toEqual([]);
});

test("the test harness does not depend on a test runner", () => {
  expect(forbidden(harness, (target) => target.startsWith("vitest"))).toEqual([]);
});
