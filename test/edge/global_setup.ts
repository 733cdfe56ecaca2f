import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundleModule } from "../../core/host/bundle/edge_bundle.ts";
import { staticPlugins } from "../../core/host/bundle/static_plugins.ts";
import { readManifest } from "../../core/host/settings/settings.ts";

const MANIFEST = fileURLToPath(new URL("../../plugins/manifest.json", import.meta.url));
const TEST_WORKER = fileURLToPath(new URL("test_worker.ts", import.meta.url));

/** Bundles every plugin for the tests of this run, and prints at the end where their kernels were served. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "edgehelm-edge-"));
  await writeFile(join(folder, "plugins.ts"), await staticPlugins(await readManifest(MANIFEST), MANIFEST, folder));
  const entry = `import { testWorker } from ${JSON.stringify(`./${relative(folder, TEST_WORKER)}`)};
import { installation } from "./plugins.ts";
export default testWorker(installation.plugins);
`;
  await writeFile(join(folder, "entry.ts"), entry);
  const bundle = join(folder, "worker.js");
  await bundleModule(join(folder, "entry.ts"), bundle);
  process.env["TEST_WORKERD_BUNDLE"] = bundle;
  process.env["TEST_WORKERD_LOG"] = join(folder, "kernels.log");
  return async () => {
    const lines = (await readFile(join(folder, "kernels.log"), "utf8").catch(() => "")).split("\n").filter(Boolean);
    for (const [text, same] of Map.groupBy(lines, (line) => line)) console.log(`${same.length} ${text}`);
    await rm(folder, { recursive: true, force: true });
  };
}
