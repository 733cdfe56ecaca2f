import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";
import type { MessageCodings } from "../../transports/rpc/codings.ts";

/** Up to this size, synchronous compression costs less than handing the work to a thread. */
const MAX_SYNC_BYTES = 32 * 1024;
/** A small message is decompressed synchronously only if its output is limited to this size. */
const MAX_SYNC_OUTPUT_BYTES = 8 * 1024 * 1024;

/** An empty message in Brotli is shorter. */
const MAX_EMPTY_BYTES = 8;

type Limit = { readonly maxOutputLength: number };

interface Coding {
  readonly compressSync: (bytes: Uint8Array) => Uint8Array;
  readonly compress: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly decompressSync: (bytes: Uint8Array, limit: Limit) => Uint8Array;
  readonly decompress: (bytes: Uint8Array, limit: Limit) => Promise<Uint8Array>;
}

// Quality 4 compresses as well as gzip, in less time.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const brotli = promisify<Uint8Array, typeof BROTLI, Uint8Array>(brotliCompress);

const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ["gzip", {
    compressSync: gzipSync,
    compress: promisify<Uint8Array, Uint8Array>(gzip),
    decompressSync: gunzipSync,
    decompress: promisify<Uint8Array, Limit, Uint8Array>(gunzip),
  }],
  ["br", {
    compressSync: (bytes) => brotliCompressSync(bytes, BROTLI),
    compress: (bytes) => brotli(bytes, BROTLI),
    decompressSync: brotliDecompressSync,
    decompress: promisify<Uint8Array, Limit, Uint8Array>(brotliDecompress),
  }],
  ["zstd", {
    compressSync: zstdCompressSync,
    compress: promisify<Uint8Array, Uint8Array>(zstdCompress),
    decompressSync: zstdDecompressSync,
    decompress: promisify<Uint8Array, Limit, Uint8Array>(zstdDecompress),
  }],
]);

/** Compresses and decompresses messages with the zlib of the runtime: small ones at once, large ones on its threads. */
export const zlibCodings: MessageCodings = {
  names: [...CODINGS.keys()],
  compress(name, bytes) {
    const coding = CODINGS.get(name)!;
    return bytes.length <= MAX_SYNC_BYTES ? coding.compressSync(bytes) : coding.compress(bytes);
  },
  decompress(name, bytes, limit) {
    const coding = CODINGS.get(name)!;
    const options = { maxOutputLength: limit };
    try {
      if (bytes.length <= MAX_SYNC_BYTES && limit <= MAX_SYNC_OUTPUT_BYTES) {
        return complete(name, coding.decompressSync(bytes, options), bytes);
      }
    } catch (error) {
      throw toRangeError(error);
    }
    return coding.decompress(bytes, options).then(
      (plain) => complete(name, plain, bytes),
      (error) => Promise.reject(toRangeError(error)),
    );
  },
};

/** Deno accepts bytes that are no Brotli, or only the start of it, and then returns nothing. */
function complete(name: string, plain: Uint8Array, { length }: Uint8Array): Uint8Array {
  if (name === "br" && plain.length === 0 && length > MAX_EMPTY_BYTES) throw new Error("the data is not complete");
  return plain;
}

function toRangeError(error: unknown): unknown {
  const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
  return isTooLarge ? new RangeError("the decompressed data exceeds the limit") : error;
}
