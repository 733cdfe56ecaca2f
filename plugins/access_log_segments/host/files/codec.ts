import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const FAST = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** Extra output space, so that the decoder finishes in one pass. */
const SLACK = 64;

export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, FAST);
}

/**
 * Decompresses bytes and verifies their embedded checksum.
 *
 * @param length the decompressed length or an upper bound of it
 */
export function decompress(bytes: Uint8Array, length: number): Uint8Array {
  return zstdDecompressSync(bytes, { chunkSize: Math.max(length + SLACK, 1024) });
}

export function checksum(bytes: Uint8Array): number {
  return crc32(bytes) >>> 0;
}
