import { expect, test } from "vitest";
import { clientGzipBytes } from "./bundle_size.ts";

const MAX_GZIP_BYTES = 30_000;

test(`the client takes at most ${MAX_GZIP_BYTES} bytes of a page, and imports nothing that browsers lack`, async () => {
  const bytes = await clientGzipBytes();
  console.log(`client: ${bytes} bytes compressed`);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
