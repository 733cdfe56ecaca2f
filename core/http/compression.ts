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

/** What every fetch runtime has. */
export const webCompress: Compress = {
  encodings: ["gzip"],
  async compress(_encoding, text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  },
};

/** What every fetch runtime has. */
export const webDecompress: Decompress = {
  encodings: ["gzip", "deflate"],
  decompress: (encoding, bytes) =>
    new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(encoding as CompressionFormat)),
};

/** The answer as text, or compressed when it is large and the caller takes it. */
export function compressed(
  text: string,
  accepted: string | undefined,
  compress: Compress,
  status: number,
  headers: Record<string, string>,
): Response | Promise<Response> {
  if (text.length < WORTHWHILE_LENGTH || accepted === undefined) return new Response(text, { status, headers });
  const encoding = compress.encodings.find((one) => accepts(accepted, one));
  headers["vary"] = "accept-encoding";
  if (encoding === undefined) return new Response(text, { status, headers });
  headers["content-encoding"] = encoding;
  return compress.compress(encoding, text).then((bytes) => new Response(bytes, { status, headers }));
}

function accepts(accepted: string, encoding: string): boolean {
  return accepted.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
