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

/** Few chunks per body, each small compared to the size limit that the caller enforces between chunks. */
const CHUNKS = { chunkSize: 65_536 };

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Compresses with Brotli and gzip on the thread pool of the runtime. */
export const zlibCompress: Compress = {
  encodings: ["br", "gzip"],
  compress: (encoding, text) =>
    // Quality 4 compresses JSON as well as gzip, in less time.
    encoding === "br" ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : deflate(text, { level: 5 }),
};

/** Decompresses Brotli, gzip and deflate on the thread pool of the runtime. */
export const zlibDecompress: Decompress = {
  encodings: ["gzip", "deflate", "br"],
  async *decompress(encoding, bytes) {
    let isEmpty = true;
    for await (const chunk of inflateOf(encoding, bytes).end(bytes)) {
      isEmpty = false;
      yield chunk;
    }
    // Deno accepts truncated Brotli. A truncated JSON text fails to parse later, but an empty one would not.
    if (isEmpty && bytes.length > 1 && encoding === "br") throw new Error("the compressed data is truncated");
  },
};

function inflateOf(encoding: string, bytes: Uint8Array): Gunzip | Inflate | BrotliDecompress {
  if (encoding === "br") return createBrotliDecompress(CHUNKS);
  if (encoding === "gzip") return createGunzip(CHUNKS);
  // Some clients send raw deflate, without the zlib header that RFC 9110 requires.
  return (bytes[0]! & 0x0f) === 8 ? createInflate(CHUNKS) : createInflateRaw(CHUNKS);
}
