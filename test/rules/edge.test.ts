import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bundled, bundleModule } from "../../core/host/bundle/edge_bundle.ts";
import { staticPlugins } from "../../core/host/bundle/static_plugins.ts";
import { readManifest } from "../../core/host/settings/settings.ts";
import { firstParty } from "../matrix/plugins.ts";
import { root } from "./generated.ts";

const MANIFEST = `${root}plugins/manifest.json`;
const MAX_GZIP_BYTES = 1_000_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-edge-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function bundled(name: string, files: Readonly<Record<string, string>>): Promise<Bundled> {
  const place = join(folder, name);
  await mkdir(place);
  for (const [file, text] of Object.entries(files)) await writeFile(join(place, file), text);
  return await bundleModule(join(place, "entry.ts"), join(place, "out.js"));
}

describe("the bundle of every plugin", () => {
  let bundle: Bundled;
  beforeAll(async () => {
    const plugins = staticPlugins(await readManifest(MANIFEST), MANIFEST, join(folder, "all"));
    const entry = 'import { createFetch } from "edgehelm/edge";\nimport { installation } from "./plugins.ts";\n' +
      "export default createFetch((settings) => ({ ...installation, ...settings }));\n";
    bundle = await bundled("all", { "plugins.ts": plugins, "entry.ts": entry });
  });

  test("holds every plugin, and nothing that needs a machine", () => {
    const inIt = (path: string) => bundle.modules.some((module) => module.endsWith(path));
    expect(firstParty.map(({ manifest: { name } }) => name).filter((name) => !inIt(`plugins/${name}/plugin.ts`)))
      .toEqual([]);
    expect(inIt("core/edge/create_fetch.ts")).toBe(true);
    const ofMachines = /(^|\/)core\/host\/|\/plugins\/[^/]+\/(host\.ts|host\/)|^node:|node_modules\/libsql\//;
    expect(bundle.modules.filter((module) => ofMachines.test(module))).toEqual([]);
  });

  test("is less than a megabyte on its way", () => {
    console.log(`edge bundle: ${bundle.bytes} bytes, ${bundle.gzipBytes} in gzip`);
    expect(bundle.gzipBytes).toBeLessThan(MAX_GZIP_BYTES);
  });
});

describe("bundling refuses, and names,", () => {
  test("a module that imports what only machines have", async () => {
    await expect(bundled("machine", { "entry.ts": 'import "./a.ts";', "a.ts": 'export * from "node:fs";' })).rejects
      .toThrow(/machine\/a\.ts: imports node:fs, which no edge runtime has/);
  });

  test("a module that imports while it runs", async () => {
    const files = { "entry.ts": 'export const late = () => import("./a.ts");', "a.ts": "export const a = 1;" };
    await expect(bundled("dynamic", files)).rejects.toThrow(/dynamic\/entry\.ts: imports .*dynamic\/a\.ts dynamically/);
  });

  test.each([
    ["eval", "export const f = (text: string) => globalThis.eval(text);"],
    ["new Function", 'export const f = new Function("return 1");'],
    ["WebAssembly", "export const f = (bytes: BufferSource) => WebAssembly.compile(bytes);"],
  ])("the use of %s", async (what, text) => {
    await expect(bundled(what.replace(" ", "_"), { "entry.ts": text })).rejects.toThrow(`the bundle uses ${what}`);
  });
});
