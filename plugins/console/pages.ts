import { type FetchHandler, keptPage, type ServedApi } from "edgehelm/runtime";
import { names } from "./built/names.ts";
import { encodeDescriptors } from "./descriptors.ts";
import { SEPARATOR } from "./separator.ts";

const SECURITY = {
  "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** The languages of the console. */
const LANGUAGES = ["en", "zh"];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Edgehelm</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/console/style.css">
    <script type="module" src="/console/console.js"></script>
  </head>
  <body><div id="console"></div></body>
</html>
`;

/** Returns the pages of the console by path: the document, its script and style, and what it derives its pages from. */
export function consolePages(api: ServedApi): ReadonlyMap<string, FetchHandler> {
  const kept = (type: string, content: () => Promise<string | Uint8Array<ArrayBuffer>>) =>
    keptPage(type, content, SECURITY);
  return new Map([
    ["/console", kept("text/html; charset=utf-8", () => Promise.resolve(PAGE))],
    ...names.map((name) => [`/console/${name}`, kept(typeOf(name), () => asset(name))] as const),
    ["/console/api.binpb", kept("application/x-protobuf", async () => servedDescriptors(api))],
    ...LANGUAGES.map((language) =>
      [
        `/console/comments.${language}.json`,
        kept("application/json; charset=utf-8", async () => JSON.stringify(await api.comments(language))),
      ] as const
    ),
  ]);
}

function servedDescriptors(api: ServedApi): Uint8Array<ArrayBuffer> {
  return encodeDescriptors(api.operations().map(({ method }) => method.parent.file));
}

async function asset(name: string): Promise<string> {
  const { assets } = await import("./built/assets.ts");
  return assets[name]!.join(SEPARATOR);
}

function typeOf(name: string): string {
  return name.endsWith(".css") ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8";
}
