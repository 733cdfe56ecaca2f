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
// What Cloudflare Workers accept on the free plan.
const MAX_GZIP_BYTES = 3_000_000;
// A third of it, with the comments in two languages.
const MAX_GZIP_BYTES_WITHOUT_CONSOLE = 1_000_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgehelm-edge-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function bundleFiles(name: string, files: Readonly<Record<string, string>>): Promise<Bundled> {
  const directory = join(folder, name);
  await mkdir(directory);
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text);
  return await bundleModule(join(directory, "entry.ts"), join(directory, "out.js"));
}

async function bundlePlugins(name: string, without: readonly string[] = []): Promise<Bundled> {
  const manifest = await readManifest(MANIFEST);
  const plugins = manifest.plugins.filter((plugin) => !without.includes(plugin.use));
  const entry = 'import { createFetch } from "edgehelm/edge";\nimport { installation } from "./plugins.ts";\n' +
    "export default createFetch((settings) => ({ ...installation, ...settings }));\n";
  const modules = await staticPlugins({ ...manifest, plugins }, MANIFEST, join(folder, name));
  return await bundleFiles(name, { "plugins.ts": modules, "entry.ts": entry });
}

describe("the bundle of every plugin", () => {
  let bundle: Bundled;
  beforeAll(async () => {
    bundle = await bundlePlugins("all");
  });

  test("contains every plugin and no host module", () => {
    const contains = (path: string) => bundle.modules.some((module) => module.endsWith(path));
    expect(firstParty.map(({ manifest: { name } }) => name).filter((name) => !contains(`plugins/${name}/plugin.ts`)))
      .toEqual([]);
    expect(contains("core/edge/create_fetch.ts")).toBe(true);
    const hostModule = /(^|\/)core\/host\/|\/plugins\/[^/]+\/(host\.ts|host\/)|^node:|node_modules\/libsql\//;
    expect(bundle.modules.filter((module) => hostModule.test(module))).toEqual([]);
  });

  test("is as small as the smallest plan accepts, the console aside far smaller", async () => {
    expect(bundle.gzipBytes).toBeLessThan(MAX_GZIP_BYTES);
    const { gzipBytes } = await bundlePlugins("without_console", ["console"]);
    console.log(`edge bundle: ${bundle.gzipBytes} bytes gzipped, ${gzipBytes} without the console`);
    expect(gzipBytes).toBeLessThan(MAX_GZIP_BYTES_WITHOUT_CONSOLE);
  });
});

test("a bundle contains what a module imports when it is needed", async () => {
  const files = { "entry.ts": 'export const lazy = () => import("./a.ts");', "a.ts": "export const a = 1;" };
  expect((await bundleFiles("lazy", files)).modules).toHaveLength(2);
});

describe("bundling refuses", () => {
  test("a module that imports a Node API", async () => {
    await expect(bundleFiles("host", { "entry.ts": 'import "./a.ts";', "a.ts": 'export * from "node:fs";' })).rejects
      .toThrow(/host\/a\.ts: imports node:fs, which edge runtimes do not support/);
  });

  test("a module with a computed import", async () => {
    const files = { "entry.ts": "export const load = (name: string) => import(name);" };
    await expect(bundleFiles("computed", files)).rejects.toThrow("the bundle uses import() of a computed module");
  });

  test.each([
    ["eval", "export const f = (text: string) => globalThis.eval(text);"],
    ["new Function", 'export const f = new Function("return 1");'],
    ["WebAssembly", "export const f = (bytes: BufferSource) => WebAssembly.compile(bytes);"],
  ])("the use of %s", async (name, text) => {
    await expect(bundleFiles(name.replace(" ", "_"), { "entry.ts": text })).rejects.toThrow(`the bundle uses ${name}`);
  });
});
