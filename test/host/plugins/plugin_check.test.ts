import { join } from "node:path";
import { expect, test } from "vitest";
import { importRules } from "../../../core/host/vendor/checks/import_rules.ts";
import { readPluginFolder } from "../../../core/host/vendor/checks/plugin_folder.ts";
import { pluginLayout } from "../../../core/host/vendor/checks/plugin_layout.ts";
import { runToEnd } from "../../harness/server.ts";
import { pluginFolders } from "../../matrix/plugins.ts";
import { root } from "../../rules/generated.ts";
import { vendorPlugin } from "./vendor_plugin.ts";

async function check(files?: Parameters<typeof vendorPlugin>[0]) {
  await using plugin = await vendorPlugin(files);
  return await runToEnd(["plugin", "check", plugin.folder], {});
}

test("a new plugin passes every check", async () => {
  const { code, output } = await check();
  expect({ code, checks: output.trim().split("\n").map((line) => line.slice(0, 24)) }).toEqual({
    code: 0,
    checks: [
      "ok  every import is of e",
      "ok  files have the names",
      "ok  other machines are r",
      "ok  the import of the pl",
      "ok  every operation perm",
      "ok  every operation has ",
      "ok  an object of another",
      "ok  every list is the sa",
      "ok  a database of every ",
      "ok  the plugin works wit",
      "ok  the plugin creates e",
    ],
  });
});

test("every finding of every check is printed", async () => {
  const { code, output } = await check({
    "README.md": undefined,
    "hook.ts": 'export const send = () => fetch("https://pay.example.com/");\n',
    "plugin.ts": (text) => `import type { Node } from "typescript";\nsetTimeout(() => {}, 5);\n${text}`,
    "plugin.json": (text) => JSON.stringify({ ...JSON.parse(text), tables: ["things"] }),
  });
  expect(code).toBe(78);
  for (
    const text of [
      'plugin.ts:1 imports "typescript", which installations do not get',
      "README.md: does not exist",
      "hook.ts uses fetch, past the guard: use call.fetch or call.connect",
      "plugin.ts:2 starts a timer with setTimeout when it is imported",
      'the table "things" is in plugin.json but was not created',
    ]
  ) expect(output).toContain(text);
});

test("a plugin that cannot be imported is named once, without what would follow", async () => {
  const { code, output } = await check({
    "handlers.ts": 'throw new Error("no handlers");\nexport const handlers = {};\n',
  });
  expect({ code, output: output.trim() }).toEqual({
    code: 78,
    output: "edgehelm: 2 errors:\n- the plugin can be imported:\n-   handlers.ts:1: no handlers",
  });
});

test("the plugins of this project keep the rules for files and imports", async () => {
  const findings: string[] = [];
  for (const name of pluginFolders) {
    const plugin = await readPluginFolder(join(root, "plugins", name));
    for (const { run } of [importRules(plugin), pluginLayout(plugin)]) {
      findings.push(...(await run()).map((line) => `${name}/${line}`));
    }
  }
  expect(findings).toEqual([]);
});
