import { hexText } from "../base/hex.ts";
import type { FetchHandler } from "./plugin.ts";

interface Page {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

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
    const { body, compressed, etag } = await page;
    const common = {
      ...headers,
      "content-type": contentType,
      "cache-control": "no-cache",
      etag,
      vary: "accept-encoding",
    };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers: common });
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return new Response(body, { headers: common });
    return new Response(compressed, { headers: { ...common, "content-encoding": "gzip" } });
  };
}

async function toPage(content: string | Uint8Array<ArrayBuffer>): Promise<Page> {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const gzip = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return { body, compressed: await new Response(gzip).bytes(), etag: `"${hexText(digest.slice(0, 16))}"` };
}
