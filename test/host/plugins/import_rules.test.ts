import { expect, test } from "vitest";
import { importRules } from "../../../core/host/vendor/checks/import_rules.ts";
import { readPluginFolder } from "../../../core/host/vendor/checks/plugin_folder.ts";
import { vendorPlugin } from "./vendor_plugin.ts";

type Files = Parameters<typeof vendorPlugin>[0];

async function findings(files: Files): Promise<readonly string[]> {
  await using plugin = await vendorPlugin(files);
  return await importRules(await readPluginFolder(plugin.folder)).run();
}

/** A package of another plugin, and the plugin beside it. */
const OTHERS: Files = {
  "node_modules/@acme/notes/package.json": '{"name": "@acme/notes", "version": "1.2.0"}',
  "node_modules/@acme/notes/plugin.json": '{"name": "notes"}',
  "../shelves/plugin.json": '{"name": "shelves"}',
  "package.json": (text) => JSON.stringify({ ...JSON.parse(text), dependencies: { "@acme/notes": "^1", semver: "7" } }),
};
const WITH_REQUIRES: Files = {
  ...OTHERS,
  "plugin.json": (text) =>
    JSON.stringify({ ...JSON.parse(text), requires: { notes: "^1", shelves: "^1", admin: "^1" } }),
};

test("a new plugin keeps the rules for imports", async () => {
  expect(await findings({})).toEqual([]);
});

test.each([
  [
    "core of the package",
    "edgehelm/core/mod.js",
    "which is no public entry point: use one of edgehelm, edgehelm/rows,",
  ],
  ["core by its path", "../../core/mod.ts", "a file outside of the plugin: use an entry point of edgehelm"],
  ["the harness in service", "edgehelm/testing", "which is for tests: move the code to the folder test"],
  ["the entry of edge deployments", "edgehelm/edge", "which is for deployments, not for plugins"],
  ["an inner file of a built-in plugin", "edgehelm/plugins/admin/store.js", "an inner file of the plugin admin"],
  ["an inner file of a plugin beside it", "../shelves/store.ts", "an inner file of the plugin shelves"],
  ["an inner file of an installed plugin", "@acme/notes/store.js", "an inner file of the plugin notes"],
  ["another plugin itself", "@acme/notes", "an inner file of the plugin notes"],
  ["a package that is not declared", "lodash/fp", '"lodash" in "dependencies" of package.json'],
  ["a package for development", "typescript", 'move "typescript" from "devDependencies"'],
  ["a module from the network", "https://example.com/mod.ts", "which is no installed package"],
  ["a module of the runtime", "node:fs", "which edge runtimes do not have: move the code that needs it to host.ts"],
])("%s is not to be imported", async (_name, specifier, text) => {
  const found = await findings({ ...WITH_REQUIRES, "rules.ts": `// a rule\nimport "${specifier}";\n` });
  expect(found).toEqual([expect.stringContaining(`rules.ts:2 imports "${specifier}", `)]);
  expect(found[0]).toContain(text);
});

test.each([
  "edgehelm/plugins/admin/contract.js",
  "@acme/notes/contract.js",
  "../shelves/contract.ts",
])("the contract %s needs a declaration in plugin.json", async (specifier) => {
  const file = { "rules.ts": `import type { A } from "${specifier}";\n` };
  expect(await findings({ ...OTHERS, ...file })).toEqual([expect.stringContaining('does not declare: add "requires"')]);
  expect(await findings({ ...WITH_REQUIRES, ...file })).toEqual([]);
});

test("types, re-exports, functions and types of modules are imports, and texts are none", async () => {
  const found = await findings({
    "rules.ts": [
      'import type { A } from "../a.ts";',
      'export type { B } from "../b.ts";',
      'export * from "../c.ts";',
      'export const d = () => import("../d.ts");',
      'export type E = import("../e.ts").E;',
      'import { type F } from "../f.ts";',
      'export const text = `\nimport type { G } from "../g.ts";\n`;',
      '// import "../h.ts";',
    ].join("\n"),
  });
  expect(found.map((line) => line.split(",")[0]!.split(" ").at(-1))).toEqual(
    expect.arrayContaining(["a", "b", "c", "d", "e", "f"].map((name) => `"../${name}.ts"`)),
  );
  expect(found).toHaveLength(6);
});

test("a contract imports nothing but edgehelm, messages and contracts of its own", async () => {
  const found = await findings({
    ...WITH_REQUIRES,
    "contract.ts": 'import "edgehelm"; import "./proto/service_thing_pb.ts"; import "./contract/a.ts";\n',
    "contract/a.ts": 'import "../handlers.ts";\nimport "semver";\n',
  });
  expect(found).toEqual(
    ["../handlers.ts", "semver"].map((name, index) =>
      expect.stringContaining(`contract/a.ts:${index + 1} imports "${name}", but a contract may import only edgehelm`)
    ),
  );
});

test("host modules, tests and dependencies have what they need", async () => {
  expect(
    await findings({
      ...WITH_REQUIRES,
      "host/files.ts": 'import "node:fs"; import "semver"; import "../rules.ts";',
      "rules.ts":
        'import "semver"; import "edgehelm/proto/options_pb.js";\nimport "edgehelm/plugins/admin/proto/x_pb.js";',
      "test/more.test.ts":
        'import "node:fs"; import "typescript"; import "edgehelm/testing"; import "edgehelm/plugins/admin/plugin.js";',
    }),
  ).toEqual([]);
});

test("a program for other machines imports what it is bundled with, and the plugin does not import it", async () => {
  expect(
    await findings({
      "agent/main.ts": 'import "node:fs"; import "typescript"; import "./rounds.ts";',
      "rules.ts": 'import type { Rounds } from "./agent/rounds.ts";',
    }),
  ).toEqual([
    expect.stringContaining('rules.ts:1 imports "./agent/rounds.ts", a module of a program for other machines'),
  ]);
});

test("a module that is no code is named", async () => {
  expect(await findings({ "rules.ts": "const broken = ;" })).toEqual([
    expect.stringMatching(/^rules\.ts:1 is not valid: /),
  ]);
});
