import { deflateSync, gzipSync } from "node:zlib";
import { as, testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import { webDecompress } from "../../../../core/transports/http/compression.ts";
import apiAccessToken from "../../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { admin, authorized, edgehelm, plugin, send } from "./rig.ts";

test.each([
  ["nothing", "", 200, "ok"],
  ["any letter case and unknown fields", '{"TEXT":"a","more":1}', 200, "ok"],
  ["an array", "[]", 400, "Decode request failed: expected a JSON object, got an array"],
  ["broken JSON", "{", 400, "Decode request failed: not valid JSON"],
  ["a wrong type", '{"text":1}', 400, "text: expected"],
  ["an unsafe number", '{"number":9007199254740993}', 400, "number: 9007199254740993 cannot be represented exactly"],
  ["a fraction", '{"number":1.5}', 400, "number:"],
  ["NUL", '{"text":"a\\u0000b"}', 400, "text: must not contain NUL"],
  ["a deep nest", `{"x":${"[".repeat(200)}${"]".repeat(200)}}`, 400, "nested deeper than 100 levels"],
])("a body with %s is accepted or refused as expected", async (_case, body, code, message) => {
  const response = await (await send("/ProbeService/look", body, await authorized())).json();
  expect(response).toMatchObject({ code, message: expect.stringContaining(message) });
});

test("a body must be UTF-8", async () => {
  const init = { method: "POST", body: new Uint8Array([0x7b, 0xff, 0x7d]), headers: await authorized() };
  const response = await (await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", init))).json();
  expect(response).toMatchObject({ code: 400, message: expect.stringContaining("not UTF-8") });
});

test("a body that is too large, declared or streamed, is refused with HTTP status 413", async () => {
  const large = `{"text":"${"x".repeat(2000)}"}`;
  const declared = await send(
    "/ProbeService/look",
    large,
    await authorized({ "content-length": String(large.length) }),
  );
  expect(declared.status).toBe(413);
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(400));
    },
  });
  const init = { method: "POST", body: endless, headers: await authorized(), duplex: "half" };
  const streamed = await edgehelm.fetch(new Request("http://edgehelm.test/ProbeService/look", init as RequestInit));
  expect([streamed.status, (await streamed.json()).reason]).toEqual([413, "kernel.too_large"]);
  expect(pulled).toBeLessThan(10);
});

test("a body is not read if the caller may not call the operation", async () => {
  expect(await edgehelm.post("/ProbeService/look", "{", as.dns()))
    .toMatchObject({ code: 403, message: 'permission denied: the role "dns" may not call /ProbeService/look' });
  const wrong = await send("/ProbeService/look", "{", { "x-cloud-access-token": "nonsense" });
  expect(await wrong.json()).toMatchObject({ code: 401, message: "invalid access token" });
});

test("a fetch runtime decompresses the encodings it supports, within the limit", async () => {
  await using edge = await testKernel({
    plugins: [plugin],
    http: { decompress: webDecompress },
    limits: { httpBodyBytes: 2048 },
  });
  const token = (await edge.token(admin))!;
  async function response(encoding: string, body: Uint8Array<ArrayBuffer>) {
    const headers = { "x-cloud-access-token": token, "content-encoding": encoding };
    const init = { method: "POST", headers, body };
    return await (await edge.fetch(new Request("http://edgehelm.test/ProbeService/look", init))).json();
  }
  expect(await response("gzip", gzipSync('{"text":"a"}'))).toMatchObject({ code: 200, data: { text: "a" } });
  expect(await response("deflate", deflateSync('{"text":"a"}'))).toMatchObject({ code: 200, data: { text: "a" } });
  expect(await response("gzip", gzipSync("x".repeat(1_000_000)))).toMatchObject({ code: 413 });
  expect(await response("gzip", new Uint8Array([1, 2, 3]))).toMatchObject({ code: 400 });
  expect(await response("br", new Uint8Array([1, 2, 3]))).toMatchObject({ code: 415 });
});

test("anonymous bodies have a smaller limit, and all bodies together are limited", async () => {
  const text = `{"text":"a"}${" ".repeat(1_200_000)}`;
  await using small = await testKernel({
    plugins: [plugin, apiAccessToken],
    limits: { httpBodyBytes: 2 ** 21, anonymousBodyBytes: 2 ** 11, bodiesBytes: 2 ** 21 },
  });
  expect(await small.post("/APIAccessTokenService/getAPIAccessToken", "x".repeat(3000)))
    .toMatchObject({ status: 413, message: "the body is larger than the limit of 2 KiB" });
  const { getAPIAccessToken } = APIAccessTokenService.method;
  await expect(small.call(as.anonymous(), getAPIAccessToken, { accessKey: "x".repeat(3000) }, "connect"))
    .rejects.toMatchObject({ reason: "kernel.too_large" });
  // The first body is held, waiting for its end, while the second arrives.
  const release = Promise.withResolvers<void>();
  const token = (await small.token(admin))!;
  function slow(end: Promise<void>, isRead = () => {}): Promise<Response> {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      // Called when the first chunk has been read.
      async pull(controller) {
        isRead();
        await end;
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "x-cloud-access-token": token }, body, duplex: "half" };
    return Promise.resolve(small.fetch(new Request("http://edgehelm.test/ProbeService/look", init as RequestInit)));
  }
  const isRead = Promise.withResolvers<void>();
  const first = slow(release.promise, isRead.resolve);
  await isRead.promise;
  const second = await slow(Promise.resolve());
  expect([second.headers.get("retry-after"), await second.json()]).toMatchObject(["1", { code: 503 }]);
  release.resolve();
  expect(await (await first).json()).toMatchObject({ code: 200 });
  expect(await (await slow(Promise.resolve())).json()).toMatchObject({ code: 200 });
});
