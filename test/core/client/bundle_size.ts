import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";
import { root } from "../../rules/generated.ts";

/** Bundles a module for browsers. */
export async function browserBundle(text: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  return outputFiles[0]!.contents;
}

/** Returns the compressed size of the client without services, in bytes. */
export async function clientGzipBytes(): Promise<number> {
  const bundle = await browserBundle('export * from "edgehelm/client";');
  return (await promisify<Uint8Array, Uint8Array>(gzip)(bundle)).length;
}
