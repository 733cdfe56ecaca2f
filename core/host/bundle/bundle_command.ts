import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { exists, sizeText } from "../settings/files.ts";
import { readManifest } from "../settings/settings.ts";
import { bundleModule } from "./edge_bundle.ts";
import { CLOUDFLARE_ENTRY, DENO_ENTRY, WORKERD_CONFIG, WRANGLER_CONFIG } from "./edge_files.ts";
import { edgeReadme } from "./edge_readme.ts";
import { staticPlugins } from "./static_plugins.ts";

const BUNDLES = [
  { entry: "worker.ts", bundle: "worker.js", runtime: "Cloudflare Workers and workerd" },
  { entry: "deno.ts", bundle: "deno.js", runtime: "Deno Deploy" },
] as const;

/**
 * Bundles an installation for edge runtimes: writes the static list of its plugins, one bundle for each runtime and
 * example configurations.
 *
 * @param args the installation manifest and the output folder
 * @returns lines for the operator
 */
export async function bundle(args: readonly string[]): Promise<string[]> {
  const [manifest, folder, ...others] = args;
  if (manifest === undefined || folder === undefined || others.length > 0) {
    throw new StartupError("usage: bundle <installation manifest> <folder>");
  }
  const manifestPath = resolve(manifest);
  const out = resolve(folder);
  const plugins = await staticPlugins(await readManifest(manifestPath), manifestPath, out);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "plugins.ts"), plugins);
  await writeFile(join(out, "worker.ts"), CLOUDFLARE_ENTRY);
  await writeFile(join(out, "deno.ts"), DENO_ENTRY);
  const sizes = await Promise.all(BUNDLES.map(async ({ entry, bundle, runtime }) => {
    const { bytes, gzipBytes } = await bundleModule(join(out, entry), join(out, bundle));
    return { bundle, runtime, size: `${sizeText(bytes)}, ${sizeText(gzipBytes)} gzipped` };
  }));
  await writeIfMissing(join(out, "wrangler.jsonc"), WRANGLER_CONFIG);
  await writeIfMissing(join(out, "workerd.capnp"), WORKERD_CONFIG);
  await writeFile(join(out, "README.md"), edgeReadme(sizes));
  return [
    ...sizes.map(({ bundle, runtime, size }) => `${join(out, bundle)} for ${runtime}: ${size}`),
    `see ${join(out, "README.md")} for how to deploy them`,
  ];
}

/** Keeps an existing file, since the operator may have edited it. */
async function writeIfMissing(path: string, text: string): Promise<void> {
  if (!await exists(path)) await writeFile(path, text);
}
