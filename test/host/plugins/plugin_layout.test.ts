import { expect, test } from "vitest";
import { readPluginFolder } from "../../../core/host/vendor/checks/plugin_folder.ts";
import { pluginLayout } from "../../../core/host/vendor/checks/plugin_layout.ts";
import { vendorPlugin } from "./vendor_plugin.ts";

type Files = Parameters<typeof vendorPlugin>[0];

async function findings(files: Files): Promise<readonly string[]> {
  await using plugin = await vendorPlugin(files);
  return await pluginLayout(await readPluginFolder(plugin.folder)).run();
}

const withManifest = (fields: object): Files => ({
  "plugin.json": (text) => JSON.stringify({ ...JSON.parse(text), ...fields }),
});

test("a new plugin has the files of every plugin", async () => {
  expect(await findings({ "node_modules/Some-Package/aB.ts": "", "dist/aB.js": "", "docs/How-to.md": "" })).toEqual([]);
});

test.each<[string, Files, string]>([
  [
    "a name in camel case",
    { "noteStore.ts": "" },
    'noteStore.ts: "noteStore.ts" is not snake_case: rename it to "note_store.ts"',
  ],
  ["a folder with a hyphen", { "my-rules/a.ts": "" }, '"my-rules" is not snake_case: rename it to "my_rules"'],
  ["a migration without a number", { "migrations/create.ts": "" }, "migrations run in the order of their names"],
  [
    "two migrations with one number",
    { "migrations/0001_a.ts": "", "migrations/0001_b.ts": "" },
    "0001_b.ts: has the number of migrations/0001_a.ts: give it the next one",
  ],
  [
    "a host module elsewhere",
    withManifest({ host: "machine.ts" }),
    'host: "machine.ts" must be host.ts or in the folder',
  ],
  ["a host module that is missing", withManifest({ host: "host.ts" }), "host.ts does not exist"],
  ["a proto file elsewhere", { "a.proto": "", "a_pb.ts": "" }, "a.proto: move it to the folder proto"],
  ["a proto file without code", { "proto/a.proto": "" }, "proto/a_pb.ts does not exist: run edgehelm plugin gen"],
  [
    "a service without a proto file",
    withManifest({ services: ["ThingService", "AService"] }),
    "has the service AService",
  ],
  ["a service that is not declared", withManifest({ services: [] }), "services: lacks ThingService"],
  ["no README", { "README.md": undefined }, "README.md: does not exist: write one with the headings Name, Description"],
  [
    "a heading that is missing",
    { "README.md": (text) => text.replace("## Config", "## Settings") },
    '"## Config": add it',
  ],
  [
    "headings in another order",
    { "README.md": (text) => text.replace("## Name", "## Development\n\n## Name") },
    "begin with the headings Name, Description, Operations, Config, Example",
  ],
  [
    "an operation without a description",
    { "README.md": (text) => text.replace("- `greet`", "- greetings") },
    '"## Operations" lacks `greet`',
  ],
])("%s is found", async (_name, files, text) => {
  expect(await findings(files)).toEqual([expect.stringContaining(text)]);
});

test("a folder without plugin.json is no plugin", async () => {
  await using plugin = await vendorPlugin({ "plugin.json": undefined });
  await expect(readPluginFolder(plugin.folder)).rejects.toThrow(/plugin\.json does not exist/);
});
