import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gunzip, gzip, inflate, inflateRaw } from "node:zlib";
import type { Compress, Decompress } from "../http/compression.ts";

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Brotli and gzip in the runtime's own threads. */
export const zlibCompress: Compress = {
  encodings: ["br", "gzip"],
  compress: (encoding, text) =>
    // Quality 4 compresses JSON as gzip does, in less time.
    encoding === "br" ? brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : deflate(text, { level: 5 }),
};

type Inflate = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: (Error & { readonly code?: string }) | null, plain: Uint8Array) => void,
) => void;

/** Brotli, gzip and deflate in the runtime's own threads; output beyond the limit is never made. */
export const zlibDecompress: Decompress = {
  encodings: ["gzip", "deflate", "br"],
  decompress: (encoding, bytes, maxOutputLength) =>
    new Promise((resolve, reject) => {
      inflateOf(encoding, bytes)(bytes, { maxOutputLength }, (error, plain) => {
        // Deno takes brotli that breaks off for whole. What is left of a JSON text fails later, nothing would not.
        if (error === null && (plain.length > 0 || bytes.length === 1)) resolve(plain);
        else if (error?.code === "ERR_BUFFER_TOO_LARGE") resolve(undefined);
        else reject(error);
      });
    }),
};

function inflateOf(encoding: string, bytes: Uint8Array): Inflate {
  if (encoding === "br") return brotliDecompress;
  if (encoding === "gzip") return gunzip;
  // Some clients send deflate without the header that the standard asks for.
  return (bytes[0]! & 0x0f) === 8 ? inflate : inflateRaw;
}
