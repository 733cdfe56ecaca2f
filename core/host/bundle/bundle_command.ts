import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { StartupError } from "../../base/startup_error.ts";
import { exists, sizeText } from "../settings/files.ts";
import { readManifest } from "../settings/settings.ts";
import { bundleModule } from "./edge_bundle.ts";
import { CLOUDFLARE_ENTRY, DENO_ENTRY, WORKERD_CONFIG, WRANGLER_CONFIG } from "./edge_files.ts";
import { edgeReadme } from "./edge_readme.ts";
import { staticPlugins } from "./static_plugins.ts";

/** What is bundled, and for whom. */
const BUNDLES = [
  { entry: "worker.ts", bundle: "worker.js", runtime: "Cloudflare Workers and workerd" },
  { entry: "deno.ts", bundle: "deno.js", runtime: "Deno Deploy" },
] as const;

/**
 * Writes an installation as modules for runtimes that only fetch: the static list of its plugins, a bundle for each
 * runtime, and examples of their configuration.
 *
 * @param words the installation manifest, and the folder to write
 * @returns lines for the operator
 */
export async function bundle(words: readonly string[]): Promise<string[]> {
  const [manifest, folder, ...others] = words;
  if (manifest === undefined || folder === undefined || others.length > 0) {
    throw new StartupError("bundle takes <installation manifest> <folder>");
  }
  const manifestPath = resolve(manifest);
  const out = resolve(folder);
  const plugins = staticPlugins(await readManifest(manifestPath), manifestPath, out);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "plugins.ts"), plugins);
  await writeFile(join(out, "worker.ts"), CLOUDFLARE_ENTRY);
  await writeFile(join(out, "deno.ts"), DENO_ENTRY);
  const sizes = await Promise.all(BUNDLES.map(async ({ entry, bundle, runtime }) => {
    const { bytes, gzipBytes } = await bundleModule(join(out, entry), join(out, bundle));
    return { bundle, runtime, size: `${sizeText(bytes)}, ${sizeText(gzipBytes)} in gzip` };
  }));
  await keepOrWrite(join(out, "wrangler.jsonc"), WRANGLER_CONFIG);
  await keepOrWrite(join(out, "workerd.capnp"), WORKERD_CONFIG);
  await writeFile(join(out, "README.md"), edgeReadme(sizes));
  return [
    ...sizes.map(({ bundle, runtime, size }) => `${join(out, bundle)} for ${runtime}: ${size}`),
    `${join(out, "README.md")} says how to deploy them`,
  ];
}

/** What the operator may have changed stays. */
async function keepOrWrite(path: string, text: string): Promise<void> {
  if (!await exists(path)) await writeFile(path, text);
}
