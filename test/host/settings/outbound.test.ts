import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { staticPlugins } from "../../../core/host/bundle/static_plugins.ts";
import { readManifest, readSettings } from "../../../core/host/settings/settings.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-outbound-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function manifestWith(settings: object): Promise<string> {
  const path = join(directory, "manifest.json");
  await writeFile(path, JSON.stringify({ plugins: [], ...settings }));
  return path;
}

test.each([
  [{}, { allow: [], hosts: [] }],
  [{ outbound: { allow: ["10.1.0.0/16"] } }, { allow: ["10.1.0.0/16"], hosts: [] }],
  [{ outbound: { hosts: ["*.example.com"] } }, { allow: [], hosts: ["*.example.com"] }],
])("the manifest %j sets what plugins reach, also for workers", async (settings, expected) => {
  const path = await manifestWith(settings);
  expect((await readSettings({ EDGEHELM_MANIFEST: path })).outbound).toEqual(expected);
  expect(await staticPlugins(await readManifest(path), path, directory)).toContain(
    `outbound: ${JSON.stringify(expected)}`,
  );
});

test.each([
  [{ allow: ["10.0.0.0/8", "pay.example.com"] }, "outbound.allow[1]: must be a range of addresses"],
  [{ hosts: ["https://pay.example.com/"] }, "outbound.hosts[0]: must be a host such as pay.example.com"],
  [{ allowed: [] }, "outbound.allowed"],
])("the settings %j are refused, with the path of the entry", async (outbound, message) => {
  const path = await manifestWith({ outbound });
  await expect(readSettings({ EDGEHELM_MANIFEST: path })).rejects.toThrow(`${path}: `);
  await expect(readSettings({ EDGEHELM_MANIFEST: path })).rejects.toThrow(message);
});
