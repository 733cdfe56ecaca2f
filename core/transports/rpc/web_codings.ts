import { concatBytes } from "../../base/bytes.ts";
import type { MessageCodings } from "./codings.ts";

/** Compression with the Compression Streams API, which every fetch runtime provides. */
export const webCodings: MessageCodings = {
  names: ["gzip"],
  compress: (_coding, bytes) => collect(bytes, new CompressionStream("gzip"), Infinity),
  decompress: (_coding, bytes, limit) => collect(bytes, new DecompressionStream("gzip"), limit),
};

async function collect(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of new Blob([new Uint8Array(bytes)]).stream().pipeThrough(stream)) {
    length += part.length;
    if (length > limit) throw new RangeError("the decompressed data exceeds the limit");
    parts.push(part);
  }
  return concatBytes(parts, length);
}
