import type { FetchHandler } from "edgehelm/runtime";

interface Page {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Returns a handler that makes a page on its first request and keeps it, since it does not change while serving. */
export function keptPage(contentType: string, text: () => Promise<string>): FetchHandler {
  let page: Promise<Page> | undefined;
  return async (request) => {
    page ??= text().then(toPage);
    const { body, compressed, etag } = await page;
    const headers = { "content-type": contentType, "cache-control": "no-cache", etag, vary: "accept-encoding" };
    if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) return new Response(body, { headers });
    return new Response(compressed, { headers: { ...headers, "content-encoding": "gzip" } });
  };
}

async function toPage(text: string): Promise<Page> {
  const body = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const gzip = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"));
  return { body, compressed: await new Response(gzip).bytes(), etag: `"${hex(digest.slice(0, 16))}"` };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
