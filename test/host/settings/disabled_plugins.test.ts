import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { staticPlugins } from "../../../core/host/bundle/static_plugins.ts";
import { loadPlugins } from "../../../core/host/load/load_plugins.ts";
import { readManifest, readSettings } from "../../../core/host/settings/settings.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-disabled-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("a disabled plugin neither runs nor becomes part of a bundle, and the others keep their places", async () => {
  const path = join(directory, "manifest.json");
  await writeFile(path, JSON.stringify({ plugins: [{ use: "not_there", disabled: true }, { use: "admin" }] }));
  const loaded = await loadPlugins(await readSettings({ EDGEHELM_MANIFEST: path }));
  expect(loaded.map(({ plugin, at }) => [plugin.manifest.name, at])).toEqual([["admin", "plugins[1]"]]);
  const source = await staticPlugins(await readManifest(path), path, directory);
  expect(source).toContain('{ plugin: plugin0, at: "plugins[1]" }');
  expect(source).not.toContain("not_there");
});
