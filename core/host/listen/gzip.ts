import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import type { Gzip } from "../../transports/grpc/codec.ts";

/** Smaller ones take less time than a thread would need to be told. */
const AT_ONCE_BYTES = 32 * 1024;
/** What may come out of a small one, at most, for it to be unpacked at once. */
const AT_ONCE_LIMIT = 8 * 1024 * 1024;
const gunzipLater = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(gunzip);
const gzipLater = promisify<Uint8Array, Uint8Array>(gzip);

/** gzip by the runtime's zlib. */
export const zlibGzip: Gzip = {
  compress: (bytes) => bytes.length <= AT_ONCE_BYTES ? gzipSync(bytes) : gzipLater(bytes),
  decompress(bytes, limit) {
    const options = { maxOutputLength: limit };
    try {
      if (bytes.length <= AT_ONCE_BYTES && limit <= AT_ONCE_LIMIT) return gunzipSync(bytes, options);
    } catch (error) {
      throw limitError(error);
    }
    return gunzipLater(bytes, options).catch((error) => Promise.reject(limitError(error)));
  },
};

function limitError(error: unknown): unknown {
  const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  return isTooLarge ? new RangeError("more comes out than is allowed") : error;
}
