import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { staticPlugins } from "../../../core/host/bundle/static_plugins.ts";
import { readManifest, readSettings } from "../../../core/host/settings/settings.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-time-zone-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function manifestWith(settings: object): Promise<string> {
  const path = join(directory, "manifest.json");
  await writeFile(path, JSON.stringify({ plugins: [], ...settings }));
  return path;
}

test.each([[{}, "UTC"], [{ timeZone: "Asia/Kathmandu" }, "Asia/Kathmandu"]])(
  "the manifest %o sets the time zone %s, also for workers",
  async (settings, timeZone) => {
    const path = await manifestWith(settings);
    expect((await readSettings({ EDGEHELM_MANIFEST: path })).timeZone).toBe(timeZone);
    expect(await staticPlugins(await readManifest(path), path, directory)).toContain(`timeZone: "${timeZone}"`);
  },
);

test.each(["Mars/Olympus", "", "+02:00"])("the time zone %o is refused", async (timeZone) => {
  const path = await manifestWith({ timeZone });
  const message = `timeZone: must be a time zone of the IANA database such as Europe/Berlin, got "${timeZone}"`;
  await expect(readSettings({ EDGEHELM_MANIFEST: path })).rejects.toThrow(message);
});
