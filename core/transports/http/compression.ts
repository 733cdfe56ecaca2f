/** Compresses in one of the encodings that a host knows, which it lists best first. */
export interface Compress {
  readonly encodings: readonly string[];
  compress(encoding: string, text: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Undoes the encodings that a host knows. */
export interface Decompress {
  readonly encodings: readonly string[];
  /** Inflates piece by piece, and no further than it is asked; throws when the bytes are not what `encoding` makes. */
  decompress(encoding: string, bytes: Uint8Array): AsyncIterable<Uint8Array>;
}

/** Smaller answers gain nothing. */
const WORTHWHILE_LENGTH = 8192;

/** Leaves answers as they are. */
export const noCompress: Compress = {
  encodings: [],
  compress: (encoding) => Promise.reject(new Error(`nothing here compresses in ${encoding}`)),
};

/** What every fetch runtime has. */
export const webDecompress: Decompress = {
  encodings: ["gzip", "deflate"],
  decompress: (encoding, bytes) =>
    new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(encoding as CompressionFormat)),
};

/** How an answer is to be sent: undefined for one that is never compressed, since it is small or nobody asked. */
export function contentCoding(text: string, accepted: string | undefined, compress: Compress): string | undefined {
  if (text.length < WORTHWHILE_LENGTH || accepted === undefined) return undefined;
  return compress.encodings.find((one) => accepts(accepted, one)) ?? "identity";
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
