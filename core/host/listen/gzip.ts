import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import type { Gzip } from "../../transports/grpc/codec.ts";

/** Up to this size, synchronous compression costs less than handing the work to a thread. */
const MAX_SYNC_BYTES = 32 * 1024;
/** A small message is decompressed synchronously only if its output is limited to this size. */
const MAX_SYNC_OUTPUT_BYTES = 8 * 1024 * 1024;
const gunzipAsync = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(gunzip);
const gzipAsync = promisify<Uint8Array, Uint8Array>(gzip);

/** Compresses and decompresses gzip with the zlib of the runtime. */
export const zlibGzip: Gzip = {
  compress: (bytes) => bytes.length <= MAX_SYNC_BYTES ? gzipSync(bytes) : gzipAsync(bytes),
  decompress(bytes, limit) {
    const options = { maxOutputLength: limit };
    try {
      if (bytes.length <= MAX_SYNC_BYTES && limit <= MAX_SYNC_OUTPUT_BYTES) return gunzipSync(bytes, options);
    } catch (error) {
      throw toRangeError(error);
    }
    return gunzipAsync(bytes, options).catch((error) => Promise.reject(toRangeError(error)));
  },
};

function toRangeError(error: unknown): unknown {
  const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  return isTooLarge ? new RangeError("the decompressed data exceeds the limit") : error;
}
