/** Compresses in one of the encodings that a host knows, which it lists best first. */
export interface Compress {
  readonly encodings: readonly string[];
  compress(encoding: string, text: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Undoes the encodings that a host knows. */
export interface Decompress {
  readonly encodings: readonly string[];
  /**
   * Answers undefined, and inflates no further, when more than `limit` bytes would come.
   *
   * @throws anything when the bytes are not what `encoding` makes
   */
  decompress(encoding: string, bytes: Uint8Array, limit: number): Promise<Uint8Array | undefined>;
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
  async decompress(encoding, bytes, limit) {
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for await (const chunk of body.pipeThrough(new DecompressionStream(encoding as CompressionFormat))) {
      length += chunk.length;
      if (length > limit) return undefined;
      chunks.push(chunk);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  },
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
