import { acceptsEncoding } from "../../net/accept_encoding.ts";

/** Compression in the encodings that a runtime supports, in order of preference. */
export interface Compress {
  readonly encodings: readonly string[];
  compress(encoding: string, text: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Decompression of the encodings that a runtime supports. */
export interface Decompress {
  readonly encodings: readonly string[];
  /** Decompresses in chunks, on demand. The iteration throws if the bytes are not in this encoding. */
  decompress(encoding: string, bytes: Uint8Array): AsyncIterable<Uint8Array>;
}

/** The length below which compression is not worthwhile. */
const MIN_COMPRESSED_LENGTH = 8192;

/** Leaves responses uncompressed. */
export const noCompress: Compress = {
  encodings: [],
  compress: (encoding) => Promise.reject(new Error(`the encoding ${encoding} is not supported`)),
};

/** Decompression with the Compression Streams API, which every fetch runtime provides. */
export const webDecompress: Decompress = {
  encodings: ["gzip", "deflate"],
  decompress: (encoding, bytes) =>
    new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(encoding as CompressionFormat)),
};

/**
 * Chooses the content coding of a response.
 *
 * @param accepted the header Accept-Encoding
 * @returns undefined if the response does not depend on the header, because it is small or the header is missing
 */
export function contentCoding(text: string, accepted: string | undefined, compress: Compress): string | undefined {
  if (text.length < MIN_COMPRESSED_LENGTH || accepted === undefined) return undefined;
  return compress.encodings.find((encoding) => acceptsEncoding(accepted, encoding)) ?? "identity";
}
