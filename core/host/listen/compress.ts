import { promisify } from "node:util";
import {
  brotliCompress,
  type BrotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  gzip,
  type Inflate,
} from "node:zlib";
import type { Compress, Decompress } from "../../transports/http/compression.ts";

/** Large enough to be few, small enough not to matter beside the limit. */
const PIECES = { chunkSize: 65_536 };

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Brotli and gzip in the runtime's own threads. */
export const zlibCompress: Compress = {
  encodings: ["br", "gzip"],
  compress: (encoding, text) =>
    // Quality 4 compresses JSON as gzip does, in less time.
    encoding === "br" ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : deflate(text, { level: 5 }),
};

/** Brotli, gzip and deflate in the runtime's own threads. */
export const zlibDecompress: Decompress = {
  encodings: ["gzip", "deflate", "br"],
  async *decompress(encoding, bytes) {
    let isEmpty = true;
    for await (const chunk of inflateOf(encoding, bytes).end(bytes)) {
      isEmpty = false;
      yield chunk;
    }
    // Deno takes brotli that breaks off for whole. What is left of a JSON text fails later, nothing would not.
    if (isEmpty && bytes.length > 1 && encoding === "br") throw new Error("the end is missing");
  },
};

function inflateOf(encoding: string, bytes: Uint8Array): Gunzip | Inflate | BrotliDecompress {
  if (encoding === "br") return createBrotliDecompress(PIECES);
  if (encoding === "gzip") return createGunzip(PIECES);
  // Some clients send deflate without the header that the standard asks for.
  return (bytes[0]! & 0x0f) === 8 ? createInflate(PIECES) : createInflateRaw(PIECES);
}
