import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { root } from "../../rules/generated.ts";

const MAX_GZIP_BYTES = 30_000;

/** Bundles a module for browsers and returns its compressed size. */
async function gzipBytes(text: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
  });
  return (await promisify<Uint8Array, Uint8Array>(gzip)(outputFiles[0]!.contents)).length;
}

test(`the client takes at most ${MAX_GZIP_BYTES} bytes of a page, and imports nothing that browsers lack`, async () => {
  const bytes = await gzipBytes('export * from "edgehelm/client";');
  console.log(`client: ${bytes} bytes compressed`);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
