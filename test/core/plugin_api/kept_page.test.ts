import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { keptPage } from "edgehelm/runtime";
import { expect, test } from "vitest";

const TEXT = "robots ".repeat(1000);
const DECODE = new Map([["br", brotliDecompressSync], ["gzip", gunzipSync]]);

function visit(headers: Readonly<Record<string, string>>): Promise<Response> | Response {
  return keptPage("text/plain", () => Promise.resolve(TEXT))(new Request("http://localhost/page", { headers }));
}

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip", "gzip"],
])("Accept-Encoding %s is sent %s, which is smaller and the same text", async (accepted, coding) => {
  const response = await visit({ "accept-encoding": accepted });
  expect(response.headers.get("content-encoding")).toBe(coding);
  const sent = await response.bytes();
  expect(sent.length).toBeLessThan(TEXT.length / 10);
  expect(new TextDecoder().decode(DECODE.get(coding)!(sent))).toBe(TEXT);
});

test.each(["identity", "gzip;q=0", "", "brotli"])("Accept-Encoding %j is sent the plain text", async (accepted) => {
  const response = await visit({ "accept-encoding": accepted });
  expect([response.headers.get("content-encoding"), await response.text()]).toEqual([null, TEXT]);
});

test("a page that did not change since is not sent again", async () => {
  const etag = (await visit({})).headers.get("etag")!;
  const response = await visit({ "if-none-match": etag });
  expect([response.status, await response.text()]).toEqual([304, ""]);
});
