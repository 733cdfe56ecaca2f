import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeBase64, encodeBase64 } from "../../core/protobuf/json/base64.ts";
import { probePlugin } from "../core/probe.ts";
import { framed, grpcWebReply, PATH, send } from "./rig.ts";

const plugin = probePlugin(() => ({
  look({ text }, { metadata }) {
    if (text === "cache") metadata.headers.set("cache-control", "private, max-age=60");
    return { text: metadata.request.isGet ? `get ${text}` : text };
  },
}));

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

test("gRPC takes JSON, and its response has its content type", async () => {
  const { headers, body, code } = await send(edgehelm, "grpc", "", { "content-type": "application/grpc+json" });
  expect(headers.get("content-type")).toBe("application/grpc+json");
  // the envelope of an empty message, which is no JSON
  expect([code, body.length]).toEqual([3, 0]);
});

test("gRPC-Web in base64 gets base64, in parts of any size", async () => {
  const token = (await edgehelm.token(as.admin()))!;
  const text = encodeBase64(framed("hello"));
  for (
    const parts of [[text], [text.slice(0, 3), text.slice(3)], [
      encodeBase64(framed("hello").subarray(0, 4)),
      encodeBase64(framed("hello").subarray(4)),
    ]]
  ) {
    const body = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    });
    const response = await edgehelm.fetch(
      new Request(`http://edgehelm.test${PATH}/look`, {
        method: "POST",
        headers: { "content-type": "application/grpc-web-text", "x-cloud-access-token": token },
        body,
        duplex: "half",
      } as RequestInit),
    );
    expect(response.headers.get("content-type")).toBe("application/grpc-web-text+proto");
    const decoded = (await response.text()).match(/[^=]+={0,2}/g)!.map((part) => decodeBase64(part)!);
    const bytes = new Uint8Array(decoded.flatMap((part) => [...part]));
    expect(grpcWebReply(response.headers, bytes)).toMatchObject({ code: 0, text: "hello" });
  }
});

test("gRPC-Web that claims to be base64 and is not is refused", async () => {
  const token = (await edgehelm.token(as.admin()))!;
  const headers = { "content-type": "application/grpc-web-text", "x-cloud-access-token": token };
  const response = await edgehelm.fetch(
    new Request(`http://edgehelm.test${PATH}/look`, { method: "POST", headers, body: "****" }),
  );
  const text = (await response.text()).match(/[^=]+={0,2}/g)!.map((part) => decodeBase64(part)!);
  const reply = grpcWebReply(response.headers, new Uint8Array(text.flatMap((part) => [...part])));
  expect(reply).toMatchObject({ code: 3, text: expect.stringContaining("not base64") });
});

async function get(method: string, text: string): Promise<Response> {
  const message = encodeURIComponent(JSON.stringify({ text }));
  return await edgehelm.fetch(
    new Request(`http://edgehelm.test${PATH}/${method}?connect=v1&encoding=json&message=${message}`, {
      headers: { "x-cloud-access-token": (await edgehelm.token(as.admin()))! },
    }),
  );
}

test("Connect reads with GET, and caches keep only what a handler allows", async () => {
  const plain = await get("look", "a");
  expect([await plain.json(), plain.headers.get("cache-control")]).toEqual([{ text: "get a" }, "no-store"]);
  const cached = await get("look", "cache");
  expect(cached.headers.get("cache-control")).toBe("private, max-age=60");
  await cached.body?.cancel();
});

test.each(["change", "reach", "tell"])("%s is not called with GET", async (method) => {
  const response = await get(method, "a");
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  await response.body?.cancel();
});
