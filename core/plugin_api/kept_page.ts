import { acceptsEncoding } from "../net/accept_encoding.ts";
import { hexText } from "../base/hex.ts";
import type { FetchHandler } from "./plugin.ts";

interface Page {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** The body in each content coding that was asked for. */
  readonly compressed: Map<string, Promise<Uint8Array<ArrayBuffer>>>;
}

/** The content codings of this runtime, in order of preference, with their names in the Compression Streams API. */
const CODINGS = new Map(
  [["br", "brotli"], ["gzip", "gzip"]].filter(([, format]) => isFormat(format!)) as [string, string][],
);

/**
 * Returns a handler that makes a page on its first request and keeps it, since it does not change while serving. The
 * response has an ETag, and is compressed if the client takes that.
 *
 * @param contentType the media type, such as `text/plain; charset=utf-8`
 * @param content makes the page
 * @param headers further headers of the response
 *
 * @example
 * ```ts
 * import { keptPage } from "edgehelm/runtime";
 *
 * route("/robots.txt", keptPage("text/plain; charset=utf-8", async () => "User-agent: *\nDisallow: /\n"));
 * ```
 */
export function keptPage(
  contentType: string,
  content: () => Promise<string | Uint8Array<ArrayBuffer>>,
  headers: Readonly<Record<string, string>> = {},
): FetchHandler {
  let page: Promise<Page> | undefined;
  return async (request) => {
    page ??= content().then(toPage);
    const { body, etag, compressed } = await page;
    const common = {
      ...headers,
      "content-type": contentType,
      "cache-control": "no-cache",
      etag,
      vary: "accept-encoding",
    };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: common });
    const accepted = request.headers.get("accept-encoding") ?? "";
    const coding = [...CODINGS.keys()].find((name) => acceptsEncoding(accepted, name));
    if (coding === undefined) return new Response(body, { headers: common });
    if (!compressed.has(coding)) compressed.set(coding, compress(body, CODINGS.get(coding)!));
    return new Response(await compressed.get(coding), { headers: { ...common, "content-encoding": coding } });
  };
}

async function toPage(content: string | Uint8Array<ArrayBuffer>): Promise<Page> {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return { body, etag: `"${hexText(digest.slice(0, 16))}"`, compressed: new Map() };
}

function compress(body: Uint8Array<ArrayBuffer>, format: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Response(new Blob([body]).stream().pipeThrough(new CompressionStream(format as CompressionFormat)))
    .bytes();
}

function isFormat(format: string): boolean {
  try {
    return new CompressionStream(format as CompressionFormat) !== undefined;
  } catch {
    return false;
  }
}
